import torch
from torch import nn


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Early(nn.Module):
    def __init__(self, what):
        self.thing = what


for what in (nn.Parameter(torch.ones(1)), nn.ReLU(), nn.Buffer(torch.ones(1))):
    attempt(lambda: Early(what))
attempt(lambda: vars(Early(3)))
m = nn.Module()
m.weight = nn.Parameter(torch.ones(2))
m.child = nn.ReLU()
m.register_buffer("buf", torch.zeros(1))
attempt(lambda: setattr(m, "weight", torch.ones(2)))
attempt(lambda: setattr(m, "weight", 3))
attempt(lambda: setattr(m, "weight", nn.ReLU()))
attempt(lambda: setattr(m, "child", torch.ones(1)))
attempt(lambda: setattr(m, "child", "text"))
attempt(lambda: setattr(m, "buf", [1]))
attempt(lambda: setattr(m, "buf", "text"))
attempt(lambda: m.register_parameter("weight", 3))
attempt(lambda: m.register_parameter("a.b", None))
attempt(lambda: m.register_parameter("", None))
attempt(lambda: m.register_parameter(3, None))
attempt(lambda: m.register_parameter("child", None))
attempt(lambda: m.register_parameter("w", torch.ones(2)))
attempt(lambda: m.register_parameter("w", m.weight * 2))
attempt(lambda: m.register_buffer("weight", torch.ones(1)))
attempt(lambda: m.register_buffer("x.y", torch.ones(1)))
attempt(lambda: m.register_buffer("", torch.ones(1)))
attempt(lambda: m.register_buffer(None, torch.ones(1)))
attempt(lambda: m.register_buffer("z", 1.0))
attempt(lambda: m.add_module("child", nn.Tanh()))
attempt(lambda: m.add_module("buf", nn.Tanh()))
attempt(lambda: m.add_module("p.q", nn.Tanh()))
attempt(lambda: m.add_module("", nn.Tanh()))
attempt(lambda: m.add_module(1, nn.Tanh()))
attempt(lambda: m.add_module("new", torch.ones(1)))
attempt(lambda: m.add_module("new", nn.ReLU))
attempt(lambda: m(torch.ones(1)))
attempt(lambda: nn.Module(1, 2))
attempt(lambda: nn.Module(x=1))
attempt(lambda: Early(nn.ReLU).nothing)
