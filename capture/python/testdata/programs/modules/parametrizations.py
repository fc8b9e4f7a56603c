import copy
import pickle

import torch
from torch import nn
from torch.nn.utils import parametrize

torch.manual_seed(0)


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).T

    def right_inverse(self, a):
        return a.triu()


class Scale(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = nn.Parameter(torch.tensor(by))

    def forward(self, x):
        return x * self.by


m = nn.Linear(2, 2)
print(parametrize.register_parametrization(m, "weight", Symmetric()) is m, m)
print(m.weight, m.weight.grad_fn, type(m).__name__, isinstance(m, nn.Linear))
m.weight = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
print(m.parametrizations.weight.original, m.weight)
parametrize.register_parametrization(m, "weight", Scale(3.0))
print([n for n, _ in m.named_parameters()], m.weight)
m(torch.ones(1, 2)).sum().backward()
print(m.parametrizations.weight.original.grad, m.parametrizations.weight[1].by.grad)
with parametrize.cached():
    print(m.weight is m.weight)
print(m.weight is m.weight, parametrize.is_parametrized(m), parametrize.is_parametrized(m, "bias"))
print(parametrize.type_before_parametrizations(m), list(m.state_dict()))
twin = copy.deepcopy(m)
print(torch.equal(twin.weight, m.weight), twin.parametrizations.weight.original is m.parametrizations.weight.original)
for bad in (lambda: pickle.dumps(m), lambda: setattr(m, "weight", torch.ones(2, 2))):
    try:
        bad()
    except RuntimeError as e:
        print(e)
parametrize.remove_parametrizations(m, "weight")
print(type(m).__name__, m.weight, hasattr(m, "parametrizations"))
b = nn.BatchNorm1d(2)
parametrize.register_parametrization(b, "running_mean", Scale(2.0))
print(b, list(b._buffers))
# The copy has the same class, which has no property any more.
parametrize.remove_parametrizations(twin, "weight", leave_parametrized=False)
