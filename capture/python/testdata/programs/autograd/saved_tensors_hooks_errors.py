import torch
from torch.autograd.graph import disable_saved_tensors_hooks, saved_tensors_hooks

x = torch.tensor([1.0, 2.0], requires_grad=True)


def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)


with saved_tensors_hooks(lambda t: t, lambda t: 5):
    y = x * x
attempt(lambda: y.sum().backward())
with saved_tensors_hooks(lambda t: t.add_(1), lambda t: t):
    attempt(lambda: x.exp())
with saved_tensors_hooks(lambda t: 1 / 0, lambda t: t):
    attempt(lambda: x.exp())
with saved_tensors_hooks(lambda t: t, lambda t: 1 / 0):
    y = x.exp()
attempt(lambda: y.sum().backward())


def nested():
    with disable_saved_tensors_hooks("hooks are forbidden here"):
        with saved_tensors_hooks(lambda t: t, lambda t: t):
            pass


attempt(nested)


def inside():
    with saved_tensors_hooks(lambda t: t, lambda t: t):
        with disable_saved_tensors_hooks("not now"):
            pass


attempt(inside)
with saved_tensors_hooks(lambda t: t, lambda t: t):
    z = x * x
print(z)
