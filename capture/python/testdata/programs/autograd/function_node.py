import torch
from torch.autograd import Function
from torch.autograd.graph import Node


class Half(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / 2

    @staticmethod
    def backward(ctx, g):
        return g / 2


x = torch.ones(2, requires_grad=True)
y = Half.apply(x)
fn = y.grad_fn
print(fn is y.grad_fn, isinstance(fn, Node), isinstance((x * 2).grad_fn, Node), fn.name())
print(repr(fn).split(" at ")[0], str(type(fn)))
fn.metadata["note"] = "kept"
print(y.grad_fn.metadata)
print(fn.saved_tensors, fn.needs_input_grad, len(fn.next_functions))
fn.register_hook(lambda gi, go: print("hook", gi, go))
fn.register_prehook(lambda go: print("prehook", go))
y.sum().backward()
try:
    fn.saved_tensors
except RuntimeError as e:
    print(str(e)[:70])
print(x.grad)
