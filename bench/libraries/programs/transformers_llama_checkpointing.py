"""Trains a tiny LLaMA with gradient checkpointing and bfloat16 autocast on the CPU.

packages: transformers
"""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=32, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
    num_key_value_heads=1, max_position_embeddings=32, use_cache=False,
)
model = LlamaForCausalLM(config)
model.gradient_checkpointing_enable()
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 6)
data = torch.arange(64) % 13
for step in range(6):
    batch = torch.stack([data[i:i + 16] for i in torch.randint(0, 40, (4,)).tolist()])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(input_ids=batch, labels=batch).loss
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    print(step, round(loss.item(), 3), round(norm.item(), 3))
