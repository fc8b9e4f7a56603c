import torch

x = torch.arange(4.0, requires_grad=True)
y = x * 1
y[0] = 10.0
y[1:3] *= 2
print(y, y.grad_fn.name(), y.grad_fn.next_functions[0][0].name())
y.sum().backward()
print(x.grad)
base = x * 1
v = base.view(2, 2)
r = v[0]
r.add_(base[2])
print(base, v.grad_fn.name(), r.grad_fn.name(), base.grad_fn.name())
x.grad = None
(base * torch.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
print(x.grad)
parts = (x * 1).split(2)


def attempt(f):
    try:
        print(f())
    except RuntimeError as e:
        print(e)


attempt(lambda: parts[0].add_(1))
attempt(lambda: (x * 1).unbind()[0].mul_(2))
with torch.no_grad():
    u = x.view(4)
attempt(lambda: u.mul_(2))
attempt(lambda: x.view(4).mul_(2))
leaf_view = torch.zeros(4)
part = leaf_view[:2]
part.copy_(x[:2])
print(leaf_view.requires_grad, leaf_view.grad_fn.name(), part.grad_fn.name())
leaf_view.sum().backward()
print(x.grad)
z = x * 1
w = z.detach()
w[0] = 100
print(z)
attempt(lambda: (z * z).sum().backward())
