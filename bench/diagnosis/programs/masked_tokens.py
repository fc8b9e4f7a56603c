"""Predicts masked tokens; padding and visible tokens do not count."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(107)

PAD, MASK, VOCABULARY = 0, 1, 14


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width, padding_idx=PAD)
        self.positions = nn.Parameter(0.02 * torch.randn(16, width))
        self.mix = nn.Conv1d(width, width, 3, padding=1)
        self.norm = nn.LayerNorm(width)
        self.feed = nn.Linear(width, 2 * width)
        self.back = nn.Linear(2 * width, width)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))

    def forward(self, tokens):
        visible = (tokens != PAD).unsqueeze(-1)
        x = self.tokens(tokens) + self.positions[: tokens.shape[1]]
        x = x.masked_fill(~visible, 0.0)
        mixed = self.mix(x.transpose(1, 2)).transpose(1, 2)
        x = self.norm(x + torch.tanh(mixed))
        x = x + self.back(F.gelu(self.feed(x)))
        return F.linear(x, self.tokens.weight, self.bias)


def sentences(n):
    rows = []
    for _ in range(n):
        length = int(torch.randint(5, 11, (1,)))
        start = int(torch.randint(0, 12, (1,)))
        rows.append(torch.tensor([2 + (start + i) % 12 for i in range(length)]))
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)


def corrupt(tokens, rate):
    chosen = (torch.rand(tokens.shape) < rate) & (tokens != PAD)
    chosen[:, 2] = True
    return tokens.masked_fill(chosen, MASK), chosen


def masked_loss(logits, tokens, chosen):
    losses = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
    weights = chosen.float()
    return (losses * weights).sum() / weights.sum()


def accuracy_of(model, tokens):
    model.eval()
    with torch.no_grad():
        corrupted, chosen = corrupt(tokens, 0.2)
        right = model(corrupted).argmax(dim=-1) == tokens
    model.train()
    return right[chosen].float().mean().item()


model = Encoder(18)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98))
for step in range(15):
    tokens = sentences(24)
    corrupted, chosen = corrupt(tokens, 0.15)
    loss = masked_loss(model(corrupted), tokens, chosen)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print("step", step, "loss %.4f" % loss.item(), "accuracy %.3f" % accuracy_of(model, sentences(12)))
