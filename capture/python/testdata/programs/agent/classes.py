import abc
import dataclasses
import enum
import typing

import torch


@dataclasses.dataclass
class Pair:
    a: torch.Tensor
    b: torch.Tensor = dataclasses.field(default_factory=lambda: torch.zeros(2))

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)


class Point(typing.NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Kind(enum.Enum):
    SUM = "sum"
    MEAN = "mean"

    def apply(self, t):
        return getattr(t, self.value)()


class Base(abc.ABC):
    __slots__ = ("w",)

    @abc.abstractmethod
    def forward(self, x): ...

    @property
    def norm(self):
        return (self.w * self.w).sum()


class Scale(Base):
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return x * self.w

    def __getattr__(self, name):
        return "no " + name


pair = Pair(torch.ones(2)) + Pair(torch.ones(2), torch.ones(2))
print(pair)
p = Point(*torch.arange(2.0))
print(p, p._replace(y=p.x + 5))
print([k.apply(torch.arange(3.0)) for k in Kind])
scale = Scale(torch.tensor([2.0, 3.0], requires_grad=True))
scale.norm.backward()
print(scale.forward(pair.a), scale.w.grad, scale.missing)
scale.forward(torch.ones(3))
