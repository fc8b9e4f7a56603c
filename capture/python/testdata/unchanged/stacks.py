# What functions of the program see of their callers: who calls hooks, Functions and the like, where
# warnings are counted, and the tracebacks of what they raise.
import inspect
import signal
import sys
import traceback
import warnings

import torch
from torch.utils.checkpoint import checkpoint


def seen(what):
    frames = []
    frame = sys._getframe(1)
    while frame is not None:
        frames.append((frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name))
        frame = frame.f_back
    print(what, len(inspect.stack()), len(traceback.extract_stack()), *frames)
    warnings.warn(what, stacklevel=3)
    try:
        raise ValueError(what)
    except ValueError:
        print(traceback.format_exc())


def sees(what):
    return lambda *_: seen(what)


def registered(owner, name, what):
    if hasattr(owner, name):
        getattr(owner, name)(sees(what))


w = torch.ones(2, requires_grad=True)
w.register_hook(sees("hook of a leaf"))
registered(w, "register_post_accumulate_grad_hook", "post-accumulate hook")
y = w * 2
y.register_hook(sees("hook of a result"))
y.grad_fn.register_hook(sees("hook of a node"))
registered(y.grad_fn, "register_prehook", "prehook of a node")
y.sum().backward()
torch.autograd.grad((w * 3).sum(), w)


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        seen("forward")
        return x * 2

    @staticmethod
    def backward(ctx, g):
        seen("backward")
        return g * 2


Double.apply(w).sum().backward()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        seen("forward of a module")
        return self.linear(x)


model = Model()
for name in ("forward_pre_hook", "forward_hook", "full_backward_hook", "full_backward_pre_hook", "state_dict_pre_hook", "load_state_dict_post_hook"):
    registered(model, "register_" + name, name)
model(w * 1).sum().backward()
model.load_state_dict(model.state_dict())
model.apply(sees("apply"))

with torch.autograd.graph.saved_tensors_hooks(lambda t: seen("pack") or t, lambda t: seen("unpack") or t):
    for _ in range(4):
        saved = w.exp()
saved.sum().backward()

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
registered(optimizer, "register_step_pre_hook", "step pre-hook")
registered(optimizer, "register_step_post_hook", "step post-hook")
optimizer.step(lambda: seen("closure") or model(w).sum())
torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: seen("rate") or 1.0).step()
torch.optim.SGD((seen("parameters") or p for p in model.parameters()), lr=0.1)


class Asked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        seen("__torch_function__")
        return super().__torch_function__(func, types, args, kwargs or {})


t = torch.ones(2).as_subclass(Asked)
t + 1
torch.add(t, 1)
t.sum().item()
t.grad
t.requires_grad_()
torch.nn.functional.relu(t)


class Number:
    def __index__(self):
        seen("__index__")
        return 1


torch.ones(Number())

for reentrant in (False, True):
    checkpoint(lambda x: seen("checkpoint") or x * 2, w, use_reentrant=reentrant).sum().backward()

def handler(number, frame):
    seen("handler")


signal.signal(signal.SIGUSR1, handler)
signal.raise_signal(signal.SIGUSR1)


def fails(g):
    raise KeyError("in a hook")


v = w * 2
v.register_hook(fails)
try:
    v.sum().backward()
except KeyError as error:
    entry = error.__traceback__
    while entry is not None:
        print(entry.tb_frame.f_code.co_name, entry.tb_lineno)
        entry = entry.tb_next
try:
    torch.add(t, torch.ones(3))
except RuntimeError as error:
    entry = error.__traceback__
    while entry is not None:
        print(entry.tb_frame.f_code.co_name, entry.tb_lineno)
        entry = entry.tb_next

try:
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:
    pass
else:

    class Dispatched(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen("__torch_dispatch__")
            return func(*args, **(kwargs or {}))

    with Dispatched():
        for _ in range(4):
            w * 2
        w.detach().add_(1)
