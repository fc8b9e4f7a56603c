import torch
from torch import nn

torch.manual_seed(3)
net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Sequential(nn.BatchNorm1d(4)))
print([m.training for m in net.modules()])
print(net.eval() is net, [m.training for m in net.modules()])
net.train()
net[1].eval()
print([m.training for m in net.modules()])
try:
    net.train(1)
except ValueError as e:
    print(e)
print(net.requires_grad_(False) is net, [p.requires_grad for p in net.parameters()])
net[0].requires_grad_()
print([p.requires_grad for p in net.parameters()])
net(torch.ones(2, 4)).sum().backward()
print([p.grad is None for p in net.parameters()])
net.zero_grad(set_to_none=False)
print(net[0].bias.grad)
net.zero_grad()
print(net[0].bias.grad)


def init(m):
    print(type(m).__name__)
    if isinstance(m, nn.Linear):
        m.weight.data.fill_(1.0)


print(net.apply(init) is net)
with torch.no_grad():
    net[0].bias.zero_()
print(net.eval()(torch.ones(1, 4)))
print(net.share_memory()[0].weight.is_shared(), net.extra_repr() == "")
