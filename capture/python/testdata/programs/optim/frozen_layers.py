import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
for p in net[0].parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
before = [p.clone() for p in net.parameters()]
for _ in range(2):
    opt.zero_grad()
    net(torch.ones(3, 2)).sum().backward()
    opt.step()
print([torch.equal(p, q) for p, q in zip(before, net.parameters())])
for p in net[0].parameters():
    p.requires_grad_(True)
opt.add_param_group({"params": net[0].parameters(), "lr": 0.01})
net(torch.ones(3, 2)).sum().backward()
opt.step()
print([torch.equal(p, q) for p, q in zip(before, net.parameters())])
print(net[0].weight, net[1].bias)
