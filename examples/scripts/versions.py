import torch

x = torch.ones(3, requires_grad=True)
h = x * 2
h += 1
h.mul_(3)
with torch.no_grad():
    x -= 0.5
