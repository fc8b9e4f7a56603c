import torch

a = torch.ones(2, 3, requires_grad=True)
with torch.no_grad():
    v = (a * 2)[0]
root = (v, a.detach(), a[1])
params = {"a": a, "v": v}
