import torch
from torch.autograd.graph import saved_tensors_hooks


def pack(t):
    print("pack", t)
    return t.tolist(), t.dtype


def unpack(packed):
    values, dtype = packed
    print("unpack", values)
    return torch.tensor(values, dtype=dtype)


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
with saved_tensors_hooks(pack, unpack):
    y = a * b
    z = y.exp()
s = (z * 2).sum()
print("backward")
s.backward()
print(a.grad, b.grad)
with saved_tensors_hooks(lambda t: t * 10, lambda t: t):
    y = a * a
print(y.grad_fn._saved_self)
y.sum().backward()
print(a.grad)
with saved_tensors_hooks(lambda t: t, lambda t: t):
    with saved_tensors_hooks(lambda t: t * 3, lambda t: t):
        w = a.sin()
    v = a.cos()
print(w.grad_fn._saved_self, v.grad_fn._saved_self)
