"""A tiny Mixtral: sparse experts with a router loss; not every expert is used in every batch.

packages: transformers
"""
import torch
from transformers import MixtralConfig, MixtralForCausalLM

torch.manual_seed(0)
config = MixtralConfig(
    vocab_size=32, hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2,
    num_local_experts=4, num_experts_per_tok=1, max_position_embeddings=32, output_router_logits=True,
)
model = MixtralForCausalLM(config).train()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(5):
    batch = (torch.arange(8) + torch.randint(0, 9, (2, 1))) % 11
    out = model(input_ids=batch, labels=batch)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(step, round(out.loss.item(), 3), round(float(out.aux_loss), 3))
