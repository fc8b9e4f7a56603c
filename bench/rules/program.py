"""Trains a small classifier: program.py ITERATIONS."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1000, gamma=0.9)
best, kept = float("inf"), None
for i in range(int(sys.argv[1])):
    x = torch.randn(32, 8)
    y = x[:, :3].argmax(1)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if i % 50 == 0:
        model.eval()
        with torch.no_grad():
            now = nn.functional.cross_entropy(model(x), y).item()
        model.train()
        if now < best:
            best, kept = now, {name: p.detach().clone() for name, p in model.named_parameters()}
