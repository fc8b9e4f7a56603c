import torch
from torch.func import hessian, jacfwd, jacrev, linearize

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0, 5.0])


def f(a, b):
    return a.sum() * b**2


print(jacrev(torch.sin)(x), jacfwd(torch.sin)(x))
print(jacrev(f, argnums=1)(x, y))
print(jacfwd(f, argnums=(0, 1))(x, y))
print(jacrev(lambda a: {"s": a.sum(), "e": a.exp()})(x))
print(jacrev(lambda a: (a * 2, "aux" and a + 1), has_aux=True)(x))
print(hessian(lambda a: (a**3).sum())(x))
print(jacrev(jacrev(lambda a: (a**3).sum()))(x), jacfwd(jacfwd(lambda a: (a**3).sum()))(x))
print(jacfwd(jacrev(lambda a, b: (a.sum() * b.sum()) ** 2, argnums=1), argnums=1)(x, y))
out, push = linearize(torch.exp, x)
print(out, push(torch.ones(2)))
try:
    push(torch.ones(3))
except RuntimeError as e:
    print(e)
