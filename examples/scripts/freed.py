import torch

x = torch.ones(2, requires_grad=True)
y = (x * x).exp()
loss = y.sum()
loss.backward(retain_graph=True)
loss.backward()
