"""Tensors of arrays and numbers of NumPy."""
import warnings
from collections import deque

import numpy as np
import torch


def show(t):
    print(t, t.dtype, t.stride(), t.requires_grad)


for kind in "f8 f4 f2 i8 i4 i2 i1 u1 ?".split():
    show(torch.tensor(np.arange(3).astype(kind)))
show(torch.tensor(np.array(3.5)))
show(torch.tensor(np.arange(6.0).reshape(2, 3).T))
show(torch.from_numpy(np.arange(6.0).reshape(2, 3).T))
show(torch.tensor(np.arange(6.0)[::2]))
show(torch.tensor(np.ones((2, 2)), dtype=torch.float32, requires_grad=True))
show(torch.as_tensor(np.ones(2, "f4")))
show(torch.asarray(np.float32(2)))
show(torch.Tensor(np.arange(4).reshape(2, 2)))
show(torch.FloatTensor(np.ones(2)))
show(torch.LongTensor(np.arange(2)))
show(torch.ones(1, dtype=torch.float64).new_tensor(np.arange(2)))
show(torch.nn.Parameter(torch.tensor(np.ones(2))))
for v in (np.float64(1.5), np.float32(1.5), np.int64(3), np.int32(3), np.uint8(3)):
    show(torch.tensor(v))
show(torch.tensor([np.float32(1), np.float32(2)]))
show(torch.tensor([np.float64(1), 2.0]))
show(torch.tensor([np.int32(1), 2]))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    show(torch.tensor([np.ones(2), np.zeros(2)]))
    show(torch.tensor([np.ones(2), np.zeros(2)]))
print(len(caught), str(caught[0].message)[:66])
show(torch.tensor(deque([np.ones(2), np.zeros(2)], maxlen=5), dtype=torch.float32))
show(torch.FloatTensor([np.array([1, 2]), np.array([3, 4])]))
for bad in (np.arange(3.0)[::-1], np.array(["a"]), [np.ones(2), np.ones(3)], [np.ones(2), 3.0], np.ones(2, ">f8")):
    try:
        torch.tensor(bad)
    except Exception as e:
        print(type(e).__name__, e)

x, a = torch.ones(2), np.array([1.0, 2.0])
print(x == a, a / x, x[np.array([0, 1])], x[np.array([False, True])], x * np.float32(3), np.float64(3) * x)
x = torch.arange(4.0).reshape(2, 2)
x[np.array([0, 1]), np.array([1, 0])] = -1
print(x, x[np.array([[0, 1], [1, 0]])], torch.zeros(np.int64(2)), x[np.int64(1)])
for f in (lambda: torch.sin(a), lambda: torch.stack([a, a]), lambda: torch.add(x, a)):
    try:
        f()
    except TypeError as e:
        print(str(e).splitlines()[0])
w = torch.tensor(a, requires_grad=True)
(w * torch.from_numpy(a)).sum().backward()
print(w.grad, np.asarray(w.detach()), w.detach().numpy().dtype)
