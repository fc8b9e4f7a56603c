import torch

p = torch.tensor([1.0], requires_grad=True)
w = 10 * p
l = w**2
root = l
params = {"p": p}
