import torch
from torch import nn
from torch.func import functional_call
from torch.nn.utils import stateless

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 1)
        self.register_buffer("offset", torch.ones(1))

    def forward(self, x, scale=1.0):
        return (self.l1(x) + self.offset) * scale


net = Net()
w = torch.full((1, 1), 2.0, requires_grad=True)
params = {"l1.weight": w, "l1.bias": torch.zeros(1), "offset": torch.tensor([10.0])}
x = torch.ones(1, 1)
before = net.l1.weight
out = functional_call(net, params, x)
print(out, net.l1.weight is before)
out.backward()
print(w.grad, net.l1.weight.grad)
print(functional_call(net, {"l1.weight": w}, (x,), {"scale": 3.0}))
print(functional_call(net, (params, {}), x))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: functional_call(net, {"nope": w}, x))
attempt(lambda: functional_call(net, {"l2.weight": w}, x))
attempt(lambda: functional_call(net, {"l1.weight": w, "zz": w}, x, strict=True))
attempt(lambda: functional_call(net, {"l1.weight": 3}, x))
attempt(lambda: functional_call(net, [params, params], x))
attempt(lambda: functional_call(net, 3, x))
tied = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
tied[1].weight = tied[0].weight
print(functional_call(tied, {"0.weight": torch.full((1, 1), 3.0)}, x))
print(functional_call(tied, {"0.weight": torch.full((1, 1), 3.0)}, x, tie_weights=False))
attempt(lambda: functional_call(tied, {"0.weight": w, "1.weight": w * 2}, x))
print(stateless.functional_call(net, params, x))
grads = torch.func.grad(lambda p: functional_call(net, p, x).sum())({k: v.detach() for k, v in net.named_parameters()})
print({k: v.tolist() for k, v in grads.items()})
