import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(lambda g: print("before in-place", g))
y.mul_(3)
y.register_hook(lambda g: print("after in-place", g))
y.retain_grad()
y.sum().backward()
print(x.grad, y.grad)
base = x * 1
base.register_hook(lambda g: print("base", g))
view = base[0]
view.register_hook(lambda g: print("view", g))
view.mul_(5)
base.sum().backward()
a = x * 1
a.retain_grad()
a.add_(1)
a.retain_grad()
(a * a).sum().backward()
print(a.grad, a.retains_grad)


def hook(g):
    g.mul_(2)


z = x * 1
z.register_hook(hook)
x.grad = None
z.sum().backward()
print(x.grad)
