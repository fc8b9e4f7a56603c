"""detach() leaves the graph but shares the memory; clone() copies the memory and stays in the graph."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3

cut = y.detach()  # same memory, no history
copy = y.clone()  # own memory, history
both = y.detach().clone()  # own memory, no history: what one keeps for later
print(cut.requires_grad, copy.requires_grad, both.requires_grad)

cut[0] = 100.0  # y sees it
print("y:   ", y)
print("copy:", copy)
print("both:", both)

copy.sum().backward()
print("x.grad:", x.grad)

squares = (x * x).sum()  # saves x
x.detach().zero_()  # changes x behind the graph's back: the version tells
try:
    squares.backward()
except RuntimeError as e:
    print("RuntimeError:", str(e)[:118])
