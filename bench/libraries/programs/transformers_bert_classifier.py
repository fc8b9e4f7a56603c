"""Fine-tunes a tiny BERT for classification: two parameter groups, a warm-up schedule, clipping.

packages: transformers
"""
import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

torch.manual_seed(0)
config = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
    intermediate_size=32, max_position_embeddings=32, num_labels=2,
)
model = BertForSequenceClassification(config)
ids = torch.randint(1, 50, (24, 10))
mask = torch.ones_like(ids)
mask[:, 7:] = 0
labels = (ids[:, 0] > 25).long()
loader = DataLoader(TensorDataset(ids, mask, labels), batch_size=8, shuffle=True)

decay = [p for n, p in model.named_parameters() if p.ndim > 1]
rest = [p for n, p in model.named_parameters() if p.ndim <= 1]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0.0}], lr=1e-3)
schedule = get_linear_schedule_with_warmup(optimizer, 2, 2 * len(loader))

for epoch in range(2):
    model.train()
    total = 0.0
    for x, m, y in loader:
        out = model(input_ids=x, attention_mask=m, labels=y)
        optimizer.zero_grad()
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += out.loss.item()
    model.eval()
    with torch.no_grad():
        right = (model(input_ids=ids, attention_mask=mask).logits.argmax(-1) == labels).float().mean()
    print(epoch, round(total, 3), float(right))
