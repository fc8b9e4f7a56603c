import torch
from torch import nn


class NoForward(nn.Module):
    pass


class Options(nn.Module):
    def forward(self, x, scale=1, *rest, offset=0, **more):
        return x * scale + offset, rest, sorted(more)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: NoForward()(1))
attempt(lambda: NoForward()())
o = Options()
print(o(torch.ones(1)), o(torch.ones(1), 2, 3, 4, offset=5, a=1), o(x=torch.ones(1), scale=4))
attempt(lambda: o())
attempt(lambda: nn.Linear(2, 2)())
attempt(lambda: nn.Linear(2, 2)(torch.ones(3)))
attempt(lambda: nn.Linear(2, 2)(torch.ones(1, 2), 1))
attempt(lambda: nn.ReLU()(wrong=1))


class Rec(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.inner = Rec(depth - 1) if depth else None

    def forward(self, x):
        return self.inner(x + 1) if self.inner else x


print(Rec(5)(0), len(list(Rec(3).modules())))


class Late(nn.Module):
    def forward(self, x):
        return x


late = Late()
late.forward = lambda x: x * 100
print(late(2), Late.__call__(late, 3))
print(callable(late), late == late, late != Late(), len({late, late}))
torch.manual_seed(0)
out = nn.Sequential(nn.Linear(3, 2), nn.Linear(4, 1))
out(torch.ones(1, 3))
