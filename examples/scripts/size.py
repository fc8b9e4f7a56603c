import torch

x = torch.ones(4, requires_grad=True)
for _ in range(10):
    x = x * 2
loss = x.sum()
