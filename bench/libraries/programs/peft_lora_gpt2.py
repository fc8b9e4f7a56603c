"""LoRA adapters on a tiny GPT-2, merged in the end.

packages: peft, transformers
"""
import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
base = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=16, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0))
model = get_peft_model(base, LoraConfig(r=2, lora_alpha=4, target_modules=["c_attn"], lora_dropout=0.1, task_type="CAUSAL_LM", fan_in_fan_out=True))
model.print_trainable_parameters()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(6):
    ids = (torch.arange(10) + torch.randint(0, 8, (4, 1))) % 8 + 1
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
merged = model.merge_and_unload().eval()
with torch.no_grad():
    print(merged(ids).logits.shape)
