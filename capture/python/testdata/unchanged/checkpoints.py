# Checkpointing of both kinds, saved tensors in hooks, passes inside of passes.
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

torch.manual_seed(0)
log = []


def block(x, w):
    log.append(("block", torch.is_grad_enabled(), x.requires_grad))
    return torch.dropout(torch.tanh(x @ w), 0.5, True)


def attempt(name, f):
    del log[:]
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0][:150])
    print("   ", log)


def run(**how):
    torch.manual_seed(1)
    x = torch.ones(2, 3, requires_grad=True)
    w = torch.full((3, 3), 0.5, requires_grad=True)
    y = checkpoint(block, x, w, **how)
    y = checkpoint(block, y, w, **how)
    y.sum().backward()
    return x.grad, w.grad, torch.random.get_rng_state().sum()


for _ in range(2):
    for how in ({}, {"use_reentrant": True}, {"use_reentrant": False}, {"use_reentrant": False, "preserve_rng_state": False}, {"use_reentrant": True, "preserve_rng_state": False}):
        attempt(str(how), lambda: run(**how))
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Dropout(), nn.Linear(2, 1), nn.BatchNorm1d(1))
x = torch.randn(4, 2, requires_grad=True)
attempt("sequential", lambda: checkpoint_sequential(net, 2, x, use_reentrant=False).sum().backward())
print(x.grad, [p.grad for p in net.parameters()], net[4].running_mean)
attempt("no gradient", lambda: checkpoint(block, torch.ones(1, 1), torch.ones(1, 1), use_reentrant=True).requires_grad)
attempt("grad inside", lambda: torch.autograd.grad(checkpoint(block, x, torch.ones(2, 2), use_reentrant=True).sum(), x))
attempt("twice", lambda: (lambda y: (y.backward(retain_graph=True), y.backward()))(checkpoint(block, x, torch.ones(2, 2), use_reentrant=False).sum()))


class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        with torch.enable_grad():
            ctx.inner = x.detach().requires_grad_()
            ctx.y = (ctx.inner ** 2).sum()
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, g):
        log.append("outer")
        ctx.inner.register_hook(lambda g: log.append("inner hook"))
        ctx.y.backward(retain_graph=True)
        (h,) = torch.autograd.grad(ctx.y, ctx.inner)
        return g * (ctx.inner.grad + h)


for _ in range(3):
    x.grad = None
    attempt("inner", lambda: (Inner.apply(x) * 2).backward())
    print(x.grad[0])


def pack(t):
    log.append(("pack", tuple(t.shape), t.dtype, t.is_leaf, t._version))
    return t.clone(), t.shape


def unpack(v):
    log.append(("unpack", v[1]))
    return v[0]


def bad(v):
    raise KeyError("unpack")


for _ in range(2):
    x.grad = None
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = (x.exp() * x).sum()
    attempt("hooks", lambda: y.backward())
    print(x.grad[0])
    with torch.autograd.graph.save_on_cpu():
        z = (x.sin() * x[0]).sum()
    attempt("on cpu", lambda: z.backward())
    print(x.grad[0])
    with torch.autograd.graph.saved_tensors_hooks(pack, bad):
        y = (x * x).sum()
    attempt("bad", lambda: y.backward())
    attempt("saved", lambda: y.grad_fn.next_functions[0][0]._saved_self)
if hasattr(torch.autograd.graph, "disable_saved_tensors_hooks"):
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        attempt("forbidden", lambda: torch.autograd.graph.saved_tensors_hooks(pack, unpack).__enter__())
if hasattr(torch.autograd.graph, "allow_mutation_on_saved_tensors"):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = torch.ones(2, requires_grad=True).clone()
        b = a ** 2
        a.fill_(0)
        attempt("mutated", lambda: b.sum().backward())
with torch.autograd.set_detect_anomaly(True):
    attempt("anomaly", lambda: (torch.zeros(2, requires_grad=True).sqrt() * 0).sum().backward())
    attempt("again", lambda: checkpoint(lambda a: (a * 0).sqrt() * 0, x, use_reentrant=True).sum().backward())
print(torch.random.get_rng_state().sum())
