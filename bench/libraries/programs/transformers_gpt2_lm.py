"""Trains a tiny GPT-2 on a periodic sequence and generates from it.

packages: transformers
"""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=32, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
data = torch.arange(1, 9).repeat(10)

losses = []
for step in range(8):
    starts = torch.randint(0, 40, (4,))
    batch = torch.stack([data[s:s + 16] for s in starts])
    loss = model(batch, labels=batch).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    losses.append(loss.item())

model.eval()
out = model.generate(data[None, :4], attention_mask=torch.ones(1, 4, dtype=torch.long), max_new_tokens=6, do_sample=False, pad_token_id=0)
print([round(v, 3) for v in losses], out.tolist())
