import torch
from torch.autograd.graph import register_multi_grad_hook

torch.manual_seed(0)
a = torch.rand(2, requires_grad=True)
b = torch.rand(2, requires_grad=True)
c = a * b
d = a * b


def fn(grads):
    print([g is not None for g in grads])


handle = register_multi_grad_hook((a, b, c, d), fn)
c.sum().backward(retain_graph=True)
c.sum().backward(inputs=(a, b), retain_graph=True)
(c + d).sum().backward(inputs=(a,), retain_graph=True)
handle.remove()
c.sum().backward(retain_graph=True)
seen = []
handle = register_multi_grad_hook((a, b), lambda g: seen.append(g), mode="any")
(c.sum() + d.sum()).backward(retain_graph=True)
print(len(seen))
handle.remove()
try:
    register_multi_grad_hook((a, b), fn, mode="some")
except ValueError as e:
    print(e)
try:
    register_multi_grad_hook((torch.ones(2),), fn)
except Exception as e:
    print(type(e).__name__)
