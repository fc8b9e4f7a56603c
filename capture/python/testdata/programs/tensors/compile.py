import torch


@torch.compile
def f(x, y):
    return torch.sin(x) + y


@torch.compile(mode="default", dynamic=False)
def g(x):
    return x * 2


x = torch.tensor([0.0, 1.0], requires_grad=True)
print(f(x, 1).shape, g(x).detach(), torch.compiler.is_compiling(), torch.jit.is_scripting())
