"""DINO-style self-distillation: a momentum teacher, centring, multi-crop and a queue.

packages: torch
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 16), nn.LayerNorm(16), nn.utils.parametrizations.weight_norm(nn.Linear(16, 20, bias=False)))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad_(False)
centre = torch.zeros(20)
queue, pointer = F.normalize(torch.randn(64, 20), dim=1), 0
optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3)
data = torch.randn(64, 12)
for step in range(6):
    x = data[torch.randperm(64)[:16]]
    crops = [x + 0.1 * torch.randn_like(x) for _ in range(3)]
    with torch.no_grad():
        taught = [teacher(c) for c in crops[:2]]
    learnt = [student(c) for c in crops]
    loss, terms = 0.0, 0
    for i, t in enumerate(taught):
        goal = F.softmax((t - centre) / 0.04, -1)
        for j, s in enumerate(learnt):
            if i != j:
                loss = loss - (goal * F.log_softmax(s / 0.1, -1)).sum(-1).mean()
                terms += 1
    loss = loss / terms
    keys = F.normalize(taught[0], dim=1)
    q = F.normalize(learnt[1], dim=1)
    logits = torch.cat([(q * keys).sum(1, keepdim=True), q @ queue.clone().T], 1) / 0.07
    loss = loss + F.cross_entropy(logits, torch.zeros(16, dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p, t in zip(student.parameters(), teacher.parameters()):
            t.mul_(0.99).add_(p.detach(), alpha=0.01)
        centre = centre * 0.9 + torch.cat(taught).mean(0) * 0.1
        queue[pointer:pointer + 16] = keys
        pointer = (pointer + 16) % 64
    print(step, round(loss.item(), 4))
