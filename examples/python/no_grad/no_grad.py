"""A hand-written optimizer: the update must not become a part of the graph."""

import torch

w = torch.tensor([2.0, -1.0], requires_grad=True)
x, y = torch.tensor([1.0, 3.0]), torch.tensor(0.5)

for step in range(3):
    loss = (w @ x - y) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad = None
    print(f"step {step}: loss = {loss.item():.4f}, w = {w.tolist()}")

loss = (w @ x - y) ** 2
loss.backward()
w = w - 0.02 * w.grad  # without no_grad: a new tensor, not a leaf
print(w.is_leaf, w.grad_fn.name())
loss = (w @ x - y) ** 2
loss.backward()
try:
    w -= 0.02 * w.grad
except TypeError as e:
    print("TypeError:", e)
