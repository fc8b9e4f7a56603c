import torch
from torch import nn
from torch.nn.utils import parametrize

torch.manual_seed(0)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


class Fn(nn.Module):
    def __init__(self, f, inverse=None):
        super().__init__()
        self.f = f
        if inverse:
            self.right_inverse = inverse

    def forward(self, *x):
        return self.f(*x)


def add(f, inverse=None, name="weight", module=None, **kw):
    m = module or nn.Linear(2, 2)
    return parametrize.register_parametrization(m, name, Fn(f, inverse), **kw).weight.shape


attempt(lambda: add(lambda x: x[0]))
attempt(lambda: add(lambda x: x.double()))
attempt(lambda: add(lambda x: 3))
attempt(lambda: add(lambda x: x[0], unsafe=True))
attempt(lambda: add(lambda x: x, name="nothing"))
attempt(lambda: add(lambda x: x, lambda x: x.double()))
attempt(lambda: add(lambda x: x, lambda x: 3))
attempt(lambda: add(lambda x: x, lambda x: [3]))
attempt(lambda: add(lambda a, b: a + b, lambda x: (x / 2, x / 2)))
pair = nn.Linear(2, 2)
add(lambda a, b: a * b, lambda x: (x, torch.ones_like(x)), module=pair)
print([n for n, _ in pair.named_parameters()])
pair.weight = torch.eye(2)
print(pair.weight, pair.parametrizations.weight.original1)
attempt(lambda: parametrize.remove_parametrizations(pair, "weight", leave_parametrized=False))
attempt(lambda: parametrize.remove_parametrizations(pair, "bias"))
print(parametrize.remove_parametrizations(pair, "weight").weight)
second = nn.Linear(2, 2)
add(lambda x: x, module=second)
attempt(lambda: add(lambda x: x[0], module=second))
attempt(lambda: add(lambda x: x.double(), module=second))
attempt(lambda: add(lambda x: x, lambda x: x[0], module=second))
attempt(lambda: setattr(second, "weight", torch.ones(2, 2)))
attempt(lambda: parametrize.ParametrizationList([], torch.ones(1)))
source = nn.Linear(2, 2)
add(lambda x: x * 2, module=source)
target = nn.Linear(2, 2)
parametrize.transfer_parametrizations_and_params(source, target)
print(torch.equal(target.weight, source.weight), target.parametrizations.weight.original is source.parametrizations.weight.original)
