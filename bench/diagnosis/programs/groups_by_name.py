"""A sequence classifier whose parameters are grouped by name; two schedulers follow each other."""

import torch
from torch import nn

torch.manual_seed(105)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.query, self.key, self.value = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.out = nn.Linear(width, width)
        self.heads = heads

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x):
        h = self.norm(x)
        q, k, v = self.split(self.query(h)), self.split(self.key(h)), self.split(self.value(h))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        mixed = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(x.shape)
        return x + self.out(mixed)


class Classifier(nn.Module):
    def __init__(self, vocabulary, width, classes):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.Sequential(Block(width, 2), Block(width, 2))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens):
        h = self.blocks(self.embed(tokens))
        pooled = self.norm(h).mean(dim=1)
        return self.head(pooled)


def groups(model, decay):
    with_decay, without = [], []
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or "norm" in name or "embed" in name:
            without.append(parameter)
        else:
            with_decay.append(parameter)
    return [{"params": with_decay, "weight_decay": decay}, {"params": without, "weight_decay": 0.0}]


def sample(n):
    tokens = torch.randint(0, 12, (n, 9))
    labels = ((tokens == 3).sum(dim=1) > (tokens == 7).sum(dim=1)).long()
    return tokens, labels


model = Classifier(12, 16, 2)
optimizer = torch.optim.AdamW(groups(model, 0.05), lr=5e-3)
warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.2, total_iters=3)
decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=9)
scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warmup, decay], milestones=[3])
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
for step in range(12):
    tokens, labels = sample(24)
    logits = model(tokens)
    loss = criterion(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), 0.5)
    optimizer.step()
    scheduler.step()
    if step % 3 == 2:
        print(step, "loss %.4f lr %.5f" % (loss.item(), optimizer.param_groups[0]["lr"]))
