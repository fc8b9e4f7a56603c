import torch

# Two views of one base that is itself an output, before and after it.
a = torch.ones(4, requires_grad=True)
b = a * 2
root = (b[:2], b, b[2:])
params = {"b": b}
