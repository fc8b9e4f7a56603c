"""Prompt tuning: only the virtual tokens of a frozen GPT-2 are trained.

packages: peft, transformers
"""
import torch
from peft import PromptTuningConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
base = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=32, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0))
model = get_peft_model(base, PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3))
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.05)
ids = (torch.arange(8) + torch.arange(4)[:, None]) % 6 + 1
for step in range(5):
    out = model(input_ids=ids, attention_mask=torch.ones_like(ids), labels=ids)
    optimizer.zero_grad()
    out.loss.backward()
    optimizer.step()
    print(step, round(out.loss.item(), 4))
