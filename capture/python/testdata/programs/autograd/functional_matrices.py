import torch
from torch.autograd.functional import hessian, jacobian

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0, 5.0])


def outer(a, b):
    return a.unsqueeze(1) * b


def scalar(a, b):
    return (a.sum() * b.sum()) ** 2


print(jacobian(lambda a: a.exp(), x))
print(jacobian(outer, (x, y)))
print(jacobian(lambda a: (a * 2, a.sum()), x))
print(jacobian(lambda a: a.exp(), x, vectorize=True))
print(jacobian(lambda a, b: (a.sum() * b, a), (x, y), vectorize=True))
print(jacobian(lambda a: a.exp(), x, vectorize=True, strategy="forward-mode"))
print(hessian(lambda a: (a**3).sum(), x))
print(hessian(scalar, (x, y)))
print(hessian(lambda a: (a**3).sum(), x, vectorize=True))
print(hessian(lambda a: (a**3).sum(), x, vectorize=True, outer_jacobian_strategy="forward-mode"))
j = jacobian(lambda a: a**2, x.requires_grad_(), create_graph=True)
print(j, j.requires_grad)
print(hessian(lambda a: (a**3).sum(), x, create_graph=True).requires_grad)
for run in (
    lambda: hessian(lambda a: a * 2, x),
    lambda: hessian(lambda a: (a.sum(), a.sum()), x),
    lambda: jacobian(lambda a: a, x, strategy="forward-mode"),
    lambda: jacobian(lambda a: a, x, strategy="sideways"),
    lambda: jacobian(lambda a: a, [x]),
    lambda: jacobian(lambda a: a, x, create_graph=True, strategy="forward-mode"),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
