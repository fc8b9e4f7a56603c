import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)
        self.reset()

    def reset(self):
        nn.init.ones_(self.lin.weight)
        nn.init.zeros_(self.lin.bias)

    @property
    def size(self):
        return self.lin.in_features

    def forward(self, x):
        return self.activate(self.lin(x))

    def activate(self, x):
        raise NotImplementedError


class Relu(Base):
    def activate(self, x):
        return torch.relu(x)


class Mixin:
    def __init__(self, *args, tag=None, **kw):
        super().__init__(*args, **kw)
        self.tag = tag


class Mixed(Mixin, Relu):
    pass


class Cooperative(nn.Module, Mixin):
    call_super_init = True

    def __init__(self, tag):
        super().__init__(tag=tag)


print(Relu(2)(torch.ones(2)), Relu(3).size)
print(Mixed(2, tag="t").tag, Cooperative("c").tag)
try:
    Base(2)(torch.ones(2))
except NotImplementedError as e:
    print(type(e).__name__, e)


class Broken(nn.Module):
    @property
    def value(self):
        return self.missing


try:
    Broken().value
except AttributeError as e:
    print(e)


class Slow(nn.Module):
    def __getattr__(self, name):
        if name.startswith("magic_"):
            return name[6:]
        return super().__getattr__(name)


s = Slow()
s.w = nn.Parameter(torch.ones(1))
print(s.magic_word, s.w)
print(s.nothing)
