import torch

a = torch.ones(1, requires_grad=True)
root = a
for _ in range(3000):
    root = -root
params = {"a": a}
modes = ("plain",)
