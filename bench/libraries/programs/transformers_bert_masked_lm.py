"""Trains a tiny BERT on masked tokens, with gradient accumulation over two batches.

packages: transformers
"""
import torch
from transformers import BertConfig, BertForMaskedLM

torch.manual_seed(0)
config = BertConfig(
    vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
    intermediate_size=32, max_position_embeddings=16,
)
model = BertForMaskedLM(config).train()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
text = torch.arange(4, 36).repeat(4, 1).roll(3, dims=1)

accumulate = 2
optimizer.zero_grad()
for i in range(8):
    start = int(torch.randint(0, 20, ()))
    ids = text[:, start:start + 12].clone()
    labels = ids.clone()
    hidden = torch.rand(ids.shape) < 0.25
    hidden[:, 0] = True
    ids[hidden] = 3
    labels[~hidden] = -100
    loss = model(input_ids=ids, labels=labels).loss / accumulate
    loss.backward()
    if (i + 1) % accumulate == 0:
        optimizer.step()
        optimizer.zero_grad()
    print(i, round(loss.item() * accumulate, 4))
