"""Trains a tiny T5 to reverse sequences.

packages: transformers
"""
import torch
from transformers import T5Config, T5ForConditionalGeneration

torch.manual_seed(0)
config = T5Config(
    vocab_size=20, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2,
    decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
)
model = T5ForConditionalGeneration(config)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(6):
    source = torch.randint(2, 20, (8, 6))
    target = torch.cat([source.flip(1), torch.ones(8, 1, dtype=torch.long)], 1)
    loss = model(input_ids=source, labels=target).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
model.eval()
with torch.inference_mode():
    print(model.generate(source[:2], max_new_tokens=7).shape)
