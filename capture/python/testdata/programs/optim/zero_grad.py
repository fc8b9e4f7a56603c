import torch

torch.manual_seed(0)

p = torch.ones(2, requires_grad=True)
q = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([p, q], lr=0.1)
(p * 2).sum().backward()
g = p.grad
print(p.grad, q.grad)
opt.zero_grad(set_to_none=False)
print(p.grad, q.grad, g, p.grad is g)
(p * 2).sum().backward()
opt.zero_grad()
print(p.grad, g)
p.grad = torch.ones(2, requires_grad=True) * 3
print(p.grad.grad_fn is not None)
opt.zero_grad(set_to_none=False)
print(p.grad, p.grad.grad_fn, p.grad.requires_grad)
torch.manual_seed(0)
layer = torch.nn.Linear(1, 1)
layer(torch.ones(1, 1)).backward()
layer.zero_grad()
print(layer.weight.grad)
opt.step()
print(p, q)
