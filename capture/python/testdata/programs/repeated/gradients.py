"""Gradients that are read, assigned and cleared again and again."""

import torch

p = torch.tensor([1.0, 2.0], requires_grad=True)
q = torch.tensor([3.0, 4.0], requires_grad=True)


def loss():
    return (p * q).sum()


def both():
    return p.grad.tolist(), q.grad.tolist()


print("assigned")
for i in range(4):
    p.grad = torch.zeros_like(p)
    q.grad = given = torch.ones(2)
    loss().backward()
    print(both(), q.grad is given, p.grad is p.grad)
    given += 1.0
    print(q.grad.tolist(), (p.grad * 2.0).tolist())

print("zeroed")
for i in range(4):
    loss().backward()
    with torch.no_grad():
        p -= 0.1 * p.grad
        q -= 0.1 * q.grad
    before = both()
    p.grad.zero_()
    q.grad.zero_()
    print(before, both())

print("none")
for i in range(3):
    p.grad = None
    print(p.grad)
    loss().backward()
    print(p.grad is None, p.grad.tolist())
    p.grad = q.grad = None
    print(p.grad, q.grad)

print("by an optimizer")
opt = torch.optim.SGD([p, q], lr=0.1)
for to_none in (True, False, True, False):
    loss().backward()
    print(both())
    opt.step()
    g = p.grad
    opt.zero_grad(set_to_none=to_none)
    print(p.grad is g, p.grad, g)
del g

print("of parameters")
layer = torch.nn.Linear(2, 1, bias=False)
with torch.no_grad():
    layer.weight.fill_(1.0)
for i in range(3):
    layer.weight.grad = torch.zeros_like(layer.weight)
    layer(torch.ones(1, 2)).sum().backward()
    with torch.no_grad():
        for w in layer.parameters():
            w -= 0.5 * w.grad
    print(layer.weight.tolist(), layer.weight.grad.tolist())
    layer.zero_grad()
    print(layer.weight.grad)
