import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
x = torch.randn(5, 3, requires_grad=True)
calls = []


def run(t):
    calls.append(torch.is_grad_enabled())
    return net(t)


net(x).pow(2).sum().backward()
expected = [p.grad.clone() for p in net.parameters()] + [x.grad.clone()]
for reentrant in (True, False):
    net.zero_grad()
    x.grad = None
    calls.clear()
    y = checkpoint(run, x, use_reentrant=reentrant)
    print(reentrant, y.grad_fn.name(), calls)
    y.pow(2).sum().backward()
    got = [p.grad for p in net.parameters()] + [x.grad]
    print(all(torch.allclose(a, b) for a, b in zip(got, expected)), calls)
    with torch.no_grad():
        print(checkpoint(run, x, use_reentrant=reentrant).requires_grad)
y = checkpoint(lambda a, b, k=1: (a * b * k, a + k), x, 2.0, use_reentrant=False, k=3)
print(len(y), y[0].grad_fn.name())
(y[0].sum() + y[1].sum()).backward()
