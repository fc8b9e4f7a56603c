"""Gradients that two tensors share, and gradients of copies."""

import copy

import torch

p = torch.tensor([1.0, 2.0], requires_grad=True)
q = torch.tensor([3.0, 4.0], requires_grad=True)


def loss():
    return (p * q).sum()


def both():
    return p.grad.tolist(), q.grad.tolist()


print("shared")
for i in range(3):
    p.grad = torch.zeros(2)
    p.grad.mul_(1.0)
    q.grad = p.grad
    print(p.grad is q.grad, both())
    q.grad.add_(1.0)
    print(both())
    loss().backward()
    print(both())
    p.grad = p.grad
    p.grad = p.grad * 2.0
    print(p.grad is q.grad, both())

print("copies")
p.grad = torch.ones(2)
twin = copy.deepcopy(p)
for i in range(3):
    print(twin.grad is p.grad, twin.grad.tolist())
    twin.grad += 1.0
    print(p.grad.tolist(), twin.grad.tolist())
a, b = torch.zeros(2, requires_grad=True), torch.ones(3, requires_grad=True)
a.grad, b.grad = torch.zeros(2), torch.ones(3)
for i in range(2):
    print(a.grad.shape, b.grad.shape)
    torch.utils.swap_tensors(a, b)
    print(a.grad.shape, b.grad.shape, (a.grad + a.detach()).tolist())

print("wrong ones")
for i in range(3):
    p.grad = torch.ones(2)
    try:
        p.grad = torch.ones(3)
    except RuntimeError as e:
        print(e)
    try:
        p.grad = p
    except RuntimeError as e:
        print(e)
    print(p.grad.tolist())
