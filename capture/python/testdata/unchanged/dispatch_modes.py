"""What Python code of the program sees that answers for PyTorch: no more than without a recorder."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map


class Seen(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        print(function)
        return function(*args, **(kwargs or {}))


class Wrapped(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        made = torch.Tensor._make_wrapper_subclass(cls, inner.size(), dtype=inner.dtype, requires_grad=inner.requires_grad)
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        print("wrapped", function)

        def unwrapped(x):
            return x.inner if isinstance(x, Wrapped) else x

        def wrapped(x):
            return Wrapped(x) if isinstance(x, torch.Tensor) else x

        return tree_map(wrapped, function(*tree_map(unwrapped, args), **tree_map(unwrapped, kwargs or {})))


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * 2


net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
with Seen():
    for _ in range(4):
        loss = (net(torch.ones(3, 4)).relu().tanh() * 2).exp().sum() + Double.apply(net.weight).sum()
        loss.backward()
        optimizer.step()
x = Wrapped(torch.ones(3)).requires_grad_()
for _ in range(4):
    (x.exp() * Double.apply(x).tanh()).sum().backward()
print(x.grad.inner)
