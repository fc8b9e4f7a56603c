import torch

a = torch.ones(3, requires_grad=True)
b = torch.ones(3, requires_grad=True)
h = a.exp()
root = (h, (h * b).sum(), b.tanh(), a)
params = {"a": a, "b": b, "h": h}
