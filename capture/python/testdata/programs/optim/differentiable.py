import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad):
    p = x.clone()
    opt = cls([p], lr=0.1, differentiable=True)
    p.grad = x * 3
    opt.step()
    print(cls.__name__, p, p.grad_fn.name())
    (g,) = torch.autograd.grad(p.sum(), x)
    print(g)
leaf = torch.ones(1, requires_grad=True)
leaf.grad = torch.ones(1)
torch.optim.SGD([leaf], lr=0.1, differentiable=True).step()
