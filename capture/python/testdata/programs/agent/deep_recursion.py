import sys

import torch

sys.setrecursionlimit(3000)


def depth(x, n):
    if n == 0:
        return x
    return depth(x + 1, n - 1)


x = torch.zeros(1, requires_grad=True)
y = depth(x, 1000)
y.backward()
print(y, x.grad)


def endless(x):
    return endless(x * 1)


try:
    endless(x)
except RecursionError as e:
    print(type(e).__name__, str(e).startswith("maximum recursion depth exceeded"))
print(depth(x, 10))
