import torch
from torch.func import grad, vmap

x = torch.arange(6.0).reshape(2, 3)
y = torch.arange(3.0)
print(vmap(torch.sin)(x).shape, vmap(torch.dot)(x, x))
print(vmap(lambda a, b: a * b, in_dims=(0, None))(x, y))
print(vmap(lambda a: a.sum(), in_dims=1)(x))
print(vmap(lambda a: a * 2, out_dims=1)(x))
print(vmap(lambda a: (a.sum(), a), out_dims=(0, 1))(x))
print(vmap(vmap(lambda a, b: a * b, in_dims=(0, None)), in_dims=(None, 0))(y, y))
print(vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": x, "b": y}))
print(vmap(grad(lambda a: (a**2).sum()))(x))
w = torch.ones(3, requires_grad=True)
vmap(lambda a: (a * w).sum())(x).sum().backward()
print(w.grad)
for run in (
    lambda: vmap(torch.sin, in_dims=3)(x),
    lambda: vmap(torch.sin)(),
    lambda: vmap(torch.add)(x, y),
    lambda: vmap(torch.mul)(x, 2.0),
    lambda: vmap(torch.mul, in_dims=(None, None))(x, y),
    lambda: vmap(torch.sin, in_dims="a")(x),
    lambda: vmap(torch.sin, in_dims=(0, 0))(x),
    lambda: vmap(lambda a: 5)(x),
    lambda: vmap(torch.sin, randomness="some")(x),
    lambda: vmap(lambda a: a + torch.rand(3))(x),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
