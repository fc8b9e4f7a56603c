import torch
from torch.autograd.graph import allow_mutation_on_saved_tensors

a = torch.ones(2, 3, requires_grad=True)
with allow_mutation_on_saved_tensors() as ctx:
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    out.backward()
    print(a.grad, b)
a.grad = None
with allow_mutation_on_saved_tensors():
    b = a.clone()
    c = b * b
    b.mul_(10)
    b.add_(1)
    c.sum().backward()
print(a.grad)
b = a.clone()
c = b * b
b.mul_(10)
try:
    c.sum().backward()
except RuntimeError as e:
    print(e)
try:
    with allow_mutation_on_saved_tensors():
        with allow_mutation_on_saved_tensors():
            pass
except RuntimeError as e:
    print(e)
with allow_mutation_on_saved_tensors():
    d = (a * 2).exp().sum()
try:
    d.backward()
except AssertionError as e:
    print(e)
