"""Gradients that the engine or a hook replaces."""

import torch

p = torch.tensor([1.0, 2.0], requires_grad=True)
q = torch.tensor([3.0, 4.0], requires_grad=True)
p.grad, q.grad = torch.zeros(2), torch.ones(2)

print("with a graph")
for i in range(3):
    g = p.grad
    (p * p * q).sum().backward(create_graph=True)
    print(p.grad is g, p.grad.requires_grad, p.grad.tolist())
    p.grad = p.grad.detach()
    print(p.grad.requires_grad, p.grad.tolist(), q.grad.tolist())
q.grad = q.grad.detach()

print("retained")
for i in range(3):
    y = p * 2.0
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    first = y.grad
    y.sum().backward()
    print(y.grad is first, first.tolist(), y.grad.tolist(), p.grad.tolist())

print("another layout")
m = torch.ones(2, 3, requires_grad=True)
for i in range(3):
    m.grad = torch.zeros(2, 3)
    (m * 2.0).sum().backward()
    m.grad.data = m.grad.data.double()
    print(m.grad.dtype, (m.grad + 1.0).dtype)
    m.grad = None
    (m * 2.0).sum().backward()
    print(m.grad.shape, (m.grad + 1.0).tolist())
    m.grad.t_()
    print(m.grad.shape, (m.grad + 1.0).shape)
    m.grad = torch.zeros(2, 3)

print("replaced by a hook")
r = torch.tensor([1.0], requires_grad=True)
seen = []


def hook(t):
    seen.append(t.grad.item())
    t.grad = None if len(seen) % 2 else t.grad * 10.0


r.register_post_accumulate_grad_hook(hook)
for i in range(4):
    (r * 3.0).sum().backward()
    print(r.grad, seen[-1])
