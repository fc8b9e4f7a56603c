import torch

a = torch.tensor([2.0], requires_grad=True)
y = (a**3).exp()
(g,) = torch.autograd.grad(y, a, create_graph=True)
root = (g, g.pow(2))
params = {"a": a, "y": y}
