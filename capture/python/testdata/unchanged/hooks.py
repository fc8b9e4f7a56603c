# Hooks of all kinds: order, what they are given, what they raise, what they replace.
import gc
import weakref

import torch
from torch import nn

log = []


def attempt(name, f):
    del log[:]
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0][:150])
    print("   ", log)


def hook(name, replace=None, error=None):
    def call(*args):
        log.append((name, [type(a).__name__ for a in args], [tuple(a.shape) for a in args if isinstance(a, torch.Tensor)]))
        if error:
            raise error
        return replace(args[-1]) if replace else None

    return call


class Callable:
    def __call__(self, g):
        log.append("callable")

    def method(self, g):
        log.append("method")


def tensors():
    x = torch.ones(3, requires_grad=True)
    handles = [x.register_hook(hook("x")), x.register_hook(Callable()), x.register_hook(Callable().method), x.register_hook(hook("double", lambda g: g * 2))]
    y = x * 2
    y.retain_grad()
    y.register_hook(hook("y"))
    y.register_hook(lambda g: g + 1)
    y.sum().backward(retain_graph=True)
    handles[0].remove()
    y.sum().backward()
    return x.grad, y.grad, len(x._backward_hooks), y.retains_grad


for _ in range(3):
    attempt("tensors", tensors)
x = torch.ones(3, requires_grad=True)
attempt("no function", lambda: x.register_hook(3))
attempt("no gradient", lambda: torch.ones(1).register_hook(hook("none")))
attempt("wrong shape", lambda: (x * 1).register_hook(lambda g: g[:1]) and None)


def wrong(replace):
    y = x * 2
    y.register_hook(replace)
    y.sum().backward()


attempt("wrong shape", lambda: wrong(lambda g: g[:1]))
attempt("wrong type", lambda: wrong(lambda g: 3))
attempt("wrong dtype", lambda: wrong(lambda g: g.double()))
attempt("raises", lambda: wrong(hook("bad", error=ValueError("on purpose"))))
attempt("exits", lambda: wrong(hook("bad", error=StopIteration())))
try:
    wrong(hook("bad", error=KeyboardInterrupt()))
except KeyboardInterrupt:
    print("interrupted")
print(x.grad)
if hasattr(x, "register_post_accumulate_grad_hook"):
    h = x.register_post_accumulate_grad_hook(hook("post"))
    attempt("post", lambda: (x * 3).sum().backward())
    h.remove()
    h = x.register_post_accumulate_grad_hook(hook("bad", error=ValueError("post")))
    attempt("post raises", lambda: (x * 3).sum().backward())
    h.remove()
    attempt("post of another", lambda: (x * 1).register_post_accumulate_grad_hook(hook("never")))
y = x * 2
g = y.grad_fn
g.register_hook(hook("node"))
if hasattr(g, "register_prehook"):
    g.register_prehook(hook("before node"))
attempt("nodes", lambda: y.sum().backward())
if hasattr(torch.autograd.graph, "register_multi_grad_hook"):
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    torch.autograd.graph.register_multi_grad_hook((a, b), hook("all"))
    attempt("multi", lambda: (a * b).backward())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.ReLU()

    def forward(self, x, scale=1):
        return self.b(self.a(x)) * scale


def modules(kwargs):
    torch.manual_seed(0)
    net = Net()
    net.register_forward_pre_hook(hook("pre"))
    net.register_forward_hook(hook("forward"))
    net.a.register_forward_hook(hook("replaces", lambda out: out + 1))
    net.a.register_full_backward_hook(hook("full"))
    if hasattr(net, "register_full_backward_pre_hook"):
        net.b.register_full_backward_pre_hook(hook("full pre"))
    if kwargs:
        net.register_forward_hook(lambda m, args, kw, out: log.append(("kwargs", sorted(kw))), with_kwargs=True)
    x = torch.ones(1, 2, requires_grad=True)
    net(x, scale=2).sum().backward()
    return x.grad, net.a.weight.grad


for _ in range(2):
    attempt("modules", lambda: modules(False))
    attempt("modules with kwargs", lambda: modules(True))
handle = nn.modules.module.register_module_forward_hook(hook("global"))
attempt("global", lambda: Net()(torch.ones(1, 2)).shape)
handle.remove()
net = Net()
net.b.register_forward_hook(hook("bad", error=ValueError("forward")))
attempt("raises", lambda: net(torch.ones(1, 2)))
opt = torch.optim.SGD(Net().parameters(), 0.1)
if hasattr(opt, "register_step_pre_hook"):
    opt.register_step_pre_hook(lambda o, a, k: log.append(("pre step", type(o).__name__, a, k)))
    opt.register_step_post_hook(lambda o, a, k: log.append("post step"))
    attempt("step", opt.step)


# What hooks hold dies with them.
class Big:
    pass


big = Big()
r = weakref.ref(big)
x = torch.ones(1, requires_grad=True)
x.register_hook(lambda g, big=big: None)
del big
print(r() is not None)
(x * 2).backward()
del x
gc.collect()
print(r() is None)
x = torch.ones(1, requires_grad=True)
y = x * 2
r = weakref.ref(y)
y.register_hook(lambda g: print("dead:", r() is None))
z = y.exp()
del y
z.backward()
print(r() is None)
