"""Tensors that come and go while the same operations run again and again."""

import gc
import weakref

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
kept, total = [], torch.zeros(2)
for i in range(3000):
    y = w * 2.0
    z = y - w
    total = total + z.detach()
    if i % 500 == 0:
        kept.append(y)
        kept.append(z)
print(total, [k.sum().item() for k in kept])
del y, z
gc.collect()

refs = [weakref.ref(w * 3.0) for _ in range(3)]
print([r() for r in refs])

names = {}
for i in range(200):
    t = w * 2.0
    t.note = i
    names[t] = i
print(sorted(names.values())[-1], all(k.note == v for k, v in names.items()))
names.clear()


class Cell:
    def __init__(self):
        self.state = torch.zeros(2)

    def __del__(self):
        self.state = self.state * 2.0 + 1.0
        done.append(self.state)


done = []
for _ in range(10):
    cell = Cell()
    s = cell.state * 2.0
    del cell
print(torch.stack(done).sum(0))

x = w
for _ in range(50):
    x = x * 1.0 + 0.0
loss = (x - 1.0).mean()
loss.backward()
depth, fn = 0, loss.grad_fn
while fn.next_functions:
    fn, depth = fn.next_functions[0][0], depth + 1
print(depth, w.grad)
