import torch

p = torch.tensor([1.0], requires_grad=True)
w = 10 * p
frozen = w.detach()
l = w**2
l.backward()
