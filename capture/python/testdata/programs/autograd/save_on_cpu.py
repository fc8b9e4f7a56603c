import torch
from torch.autograd.graph import save_on_cpu

torch.manual_seed(0)
a = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)


def f():
    with save_on_cpu():
        p = a * b
    return (p * a).tanh()


f().sum().backward()
print(a.grad, b.grad)
expected = a.grad.clone()
a.grad = b.grad = None
with save_on_cpu(pin_memory=True):
    y = (a * b * a).tanh()
y.sum().backward()
print(torch.allclose(a.grad, expected))
with save_on_cpu():
    z = a * 2
    z.add_(1)
    w = z * z
    z.mul_(2)
w.sum().backward()
print(a.grad - expected)
