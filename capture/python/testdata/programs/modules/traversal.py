import torch
from torch import nn

torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.lin = nn.Linear(size, size)
        self.norm = nn.BatchNorm1d(size)

    def forward(self, x):
        return self.norm(self.lin(x))


shared = nn.Linear(2, 2)
net = nn.Sequential()
net.add_module("first", Block(2))
net.add_module("twice", shared)
net.add_module("again", shared)
net.add_module("nothing", None)
net.add_module("last", Block(2))
print([n for n, _ in net.named_parameters()])
print([n for n, _ in net.named_parameters(remove_duplicate=False)])
print([n for n, _ in net.named_parameters(prefix="net", recurse=False)])
print([n for n, _ in net.named_parameters("net")][:3])
print([n for n, _ in net.named_buffers()], [n for n, _ in net.named_buffers(prefix="x")][0])
print([n for n, _ in net.named_modules()])
print([n for n, _ in net.named_modules(prefix="p", remove_duplicate=False)])
print([(n, type(m).__name__) for n, m in net.named_children()])
print([type(m).__name__ for m in net.children()], len(list(net.modules())))
print(sum(p.numel() for p in net.parameters()), len(list(net.buffers())))
memo = set()
print([n for n, _ in net.named_modules(memo)], len(memo))
print(next(net.parameters()) is net[0].lin.weight, isinstance(net.parameters(), type(x for x in [])))
tied = nn.Linear(2, 2, bias=False)
tied.other = tied.weight
print([n for n, _ in tied.named_parameters()], [n for n, _ in tied.named_parameters(remove_duplicate=False)])
print(list(tied.state_dict()))
for name, p in net.first.named_parameters():
    print(name, tuple(p.shape), p.requires_grad)
