"""Only leaves collect gradients, and only what the user made is a leaf."""

import torch

torch.manual_seed(0)
w = torch.randn(2, requires_grad=True)  # a leaf
scaled = torch.randn(2, requires_grad=True) * 0.1  # not a leaf: a product of one that nobody keeps
hidden = w * scaled  # not a leaf
hidden.retain_grad()  # keeps its gradient nevertheless
loss = hidden.sum()
loss.backward()

print("w:     ", w.is_leaf, w.grad)
print("scaled:", scaled.is_leaf, scaled.grad)  # a warning, and None
print("hidden:", hidden.is_leaf, hidden.grad)

try:
    torch.optim.SGD([w, scaled], lr=0.1)
except ValueError as e:
    print("ValueError:", e)

made = (torch.randn(2) * 0.1).requires_grad_()  # scaled first, then made a leaf
print("made:  ", made.is_leaf)
torch.optim.SGD([w, made], lr=0.1)
