import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.a = nn.Linear(2, n)
        self.b = nn.Sequential(nn.Linear(n, 1, bias=False))


net = Net()


def attempt(state, **kw):
    try:
        print(net.load_state_dict(state, **kw))
    except Exception as e:
        print(type(e).__name__, e)


state = net.state_dict()
attempt(state)
del state["a.bias"]
attempt(state)
attempt(state, strict=False)
state["b.1.weight"] = torch.ones(1)
state["c"] = torch.ones(1)
attempt(state)
attempt(state, strict=False)
attempt(Net(4).state_dict())
attempt(Net(4).state_dict(), strict=False)
good = net.state_dict()
good["a.weight"] = [1, 2]
attempt(good)
good["a.weight"] = torch.ones(3, 2, dtype=torch.float64)
attempt(good)
print(net.a.weight)
attempt([1])
attempt(3)
attempt({})
missing, unexpected = net.load_state_dict({"zzz": torch.ones(1)}, strict=False)
print(missing, unexpected)
scalar = nn.Module()
scalar.register_buffer("n", torch.tensor(1.0))
print(scalar.load_state_dict({"n": torch.tensor([5.0])}), scalar.n)
net.load_state_dict(Net(5).state_dict())
