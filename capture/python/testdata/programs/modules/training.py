import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class MLP(nn.Module):
    def __init__(self, sizes, act=nn.ReLU):
        super().__init__()
        self.layers = nn.ModuleList()
        for a, b in zip(sizes, sizes[1:]):
            self.layers.append(nn.Linear(a, b))
        self.act = act()

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = self.act(x)
        return x


net = MLP([2, 4, 3])
print(net)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y = torch.randn(8, 2), torch.randint(0, 3, (8,))
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    total = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    print(round(loss.item(), 4), round(total.item(), 4))
for p in net.layers[0].parameters():
    p.requires_grad = False
print([n for n, p in net.named_parameters() if p.requires_grad])
average = copy.deepcopy(net)
with torch.no_grad():
    for p, q in zip(average.parameters(), net.parameters()):
        p.mul_(0.9).add_(q, alpha=0.1)
print(all(torch.allclose(p, q) for p, q in zip(average.parameters(), net.parameters())))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 3)
        self.out = nn.Linear(3, 5, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, i):
        return self.out(self.emb(i))


tied = Tied()
print(len(list(tied.parameters())), list(tied.state_dict()))
tied(torch.tensor([1, 2])).sum().backward()
print(tied.emb.weight.grad is tied.out.weight.grad, tied.double().out.weight is tied.emb.weight)
hidden = nn.Module()
hidden.layers = [nn.Linear(1, 1)]
try:
    torch.optim.SGD(hidden.parameters(), lr=0.1)
except ValueError as e:
    print(e)
net(torch.randn(2, 3))
