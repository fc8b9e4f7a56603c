import torch
from torch.func import grad, grad_and_value, vjp, jvp

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0])


def f(a, b):
    return (a**2 * b).sum()


print(grad(f)(x, y), grad(f, argnums=1)(x, y), grad(f, argnums=(0, 1))(x, y))
print(grad_and_value(f)(x, y))
print(grad(lambda a: (a.sin().sum(), a * 2), has_aux=True)(x))
print(grad(grad(torch.sin))(torch.tensor(0.5)), grad(grad(grad(torch.sin)))(torch.tensor(0.5)))
print(grad(lambda d: (d["w"] * d["b"]).sum())({"w": x, "b": y}))
out, pull = vjp(lambda a: a * y, x)
print(out, pull(torch.ones(2)))
out, pull = vjp(lambda a, b: (a * b, a.sum()), x, y)
print(out, pull((torch.ones(2), torch.tensor(2.0))))
print(jvp(torch.sin, (x,), (torch.ones(2),)))
print(jvp(f, (x, y), (torch.ones(2), torch.zeros(2))))
w = torch.tensor(2.0, requires_grad=True)
g = grad(lambda a: (a * w).sum())(x)
print(g.requires_grad, torch.autograd.grad(g.sum(), w))
print(grad(f)(x, y).requires_grad, x.requires_grad)
for run in (
    lambda: grad(lambda a: a * 2)(x),
    lambda: grad(lambda a: 5)(x),
    lambda: grad(f, argnums=5)(x, y),
    lambda: grad(f, argnums=(0, 0))(x, y),
    lambda: jvp(f, x, y),
    lambda: jvp(f, (x, y), (x,)),
    lambda: vjp(lambda a: a, x)[1]((x, x)),
    lambda: grad(lambda a: a.sum(), has_aux=True)(x),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
