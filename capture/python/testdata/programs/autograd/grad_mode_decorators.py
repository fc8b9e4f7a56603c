import torch


@torch.no_grad
def bare(x):
    return x * 2


@torch.no_grad()
def called(x):
    return x * 2


@torch.enable_grad()
def enabled(x):
    return x * 2


@torch.set_grad_enabled(False)
def switched(x):
    """Its docstring."""
    return x * 2


@torch.no_grad()
def numbers(x):
    for i in range(3):
        got = yield (x * i).requires_grad
        print("got", got, torch.is_grad_enabled())
    return "end"


class Model:
    @torch.no_grad()
    def predict(self, x):
        return x * 3


x = torch.ones(1, requires_grad=True)
print(bare(x).requires_grad, called(x).requires_grad, switched(x).requires_grad, torch.is_grad_enabled())
with torch.no_grad():
    print(enabled(x).requires_grad)
print(switched.__name__, switched.__doc__, Model().predict(x).requires_grad)
gen = numbers(x)
print(next(gen), torch.is_grad_enabled(), gen.send("a"), gen.send("b"))
try:
    next(gen)
except StopIteration as e:
    print(e.value)
print(list(numbers(x)))
