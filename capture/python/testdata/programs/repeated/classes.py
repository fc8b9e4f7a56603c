"""Equal operations on tensors of several classes."""

import torch
from torch.overrides import TorchFunctionMode


class Named(torch.Tensor):
    calls = 0

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        Named.calls += 1
        return super().__torch_function__(func, types, args, kwargs)


class Quiet(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl


plain, parameter = torch.ones(2), torch.nn.Parameter(torch.ones(2))
named, quiet = torch.ones(2).as_subclass(Named), torch.ones(2).as_subclass(Quiet)
for _ in range(3):
    for t in (plain, parameter, named, quiet):
        y = t * 2.0
        z = plain + t
        print(type(y).__name__, type(z).__name__, y.requires_grad, tuple(y.shape), t.dim())
print(Named.calls > 0)


class Count(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


for _ in range(2):
    with Count() as count:
        for _ in range(3):
            y = plain * 2.0
            y = torch.relu(y)
    print(count.names)

for _ in range(3):
    print((plain * 2).dtype, (plain * 2.0).dtype, (plain * True).dtype)
ints = torch.tensor([1, 2])
for _ in range(3):
    print((ints * 2).dtype, (ints * 2.0).dtype, (ints * True).dtype, (ints + True).dtype, (ints == 1.0).dtype)
    print(torch.full((2,), 1).dtype, torch.full((2,), 1.0).dtype, torch.full((2,), True).dtype)
    print((ints**2).dtype, (ints**2.0).dtype, (2**ints).dtype, (2.0**ints).dtype)
for exponent in (2, 2, -1):
    try:
        print(ints**exponent)
    except RuntimeError as e:
        print(e)
for divisor in (2, 2, 0):
    try:
        print(ints // divisor, ints % torch.tensor(divisor))
    except RuntimeError as e:
        print(e)
for k in (0, 1, 1, 2):
    try:
        print(ints[k], ints[k:], ints[None, k], ints[torch.tensor(k)])
    except IndexError as e:
        print(e)
