import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Conv1d(1, 1, 1), nn.BatchNorm1d(1)))
net.extra = nn.Module()
net.extra.table = nn.Parameter(torch.zeros(1))
net.extra.number = 3


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


print(net.get_submodule("") is net, net.get_submodule("1.0"))
print(net.get_parameter("extra.table"), net.get_buffer("1.1.running_mean"))
print(net.get_parameter("0.bias").shape)
attempt(lambda: net.get_submodule("2"))
attempt(lambda: net.get_submodule("1.5"))
attempt(lambda: net.get_submodule("0.weight"))
attempt(lambda: net.get_submodule("extra.number"))
attempt(lambda: net.get_parameter("0.scale"))
attempt(lambda: net.get_parameter("extra.number"))
attempt(lambda: net.get_parameter("1.1.running_mean"))
attempt(lambda: net.get_parameter("nowhere.weight"))
attempt(lambda: net.get_buffer("1.1.running_max"))
attempt(lambda: net.get_buffer("0.weight"))
net.set_submodule("1.0", nn.Identity())
net.set_submodule("extra.deep", nn.ReLU())
print(net)
attempt(lambda: net.set_submodule("", nn.ReLU()))
attempt(lambda: net.set_submodule("a.b", nn.ReLU()))
attempt(lambda: net.set_submodule("extra.number.c", nn.ReLU()))
attempt(lambda: net.set_submodule("1.0", torch.ones(1)))
