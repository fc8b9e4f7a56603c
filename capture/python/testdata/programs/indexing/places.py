"""Where a mask is true: a tensor of places, or a tuple of them by dimension."""
import torch

mask = torch.tensor([True, False, True])
grid = torch.tensor([[0, 2], [3, 0]])
for t in (mask, grid):
    print(t.nonzero(), t.nonzero(as_tuple=False), t.nonzero(as_tuple=True))
    print(torch.nonzero(t), torch.nonzero(t, as_tuple=False), torch.nonzero(t, as_tuple=True))
chosen = mask.nonzero(as_tuple=False).squeeze(-1)
x = torch.arange(3.0, requires_grad=True)
x.index_select(0, chosen).sum().backward()
print(chosen, x.grad, torch.tensor(5).nonzero(as_tuple=False).shape)
