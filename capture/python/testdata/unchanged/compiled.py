# torch.compile with a backend that computes eagerly, and what it says of its graphs.
import sys

import torch
from torch import nn

if not hasattr(torch, "compile"):
    print("no torch.compile")
    sys.exit()

graphs = []


def backend(gm, inputs):
    graphs.append([(n.op, str(getattr(n.target, "__name__", n.target))) for n in gm.graph.nodes])
    return gm.forward


def attempt(name, f):
    del graphs[:]
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0])
    for g in graphs:
        print("   ", g)


@torch.compile(backend=backend)
def f(x, y):
    z = torch.sin(x) * y + torch.nn.functional.relu(x).sum()
    return z.exp()[1:] - 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 3)
        self.out = nn.Sequential(nn.ReLU(), nn.Linear(3, 1))

    def forward(self, x):
        y = self.lin(x)
        if y.sum() > 100:
            y = y * 2
        return self.out(y).mean()


torch.manual_seed(0)
x = torch.randn(4, requires_grad=True)
for _ in range(3):
    attempt("f", lambda: f(x, torch.ones(4)).sum().backward())
    print(x.grad)
attempt("other shape", lambda: f(torch.ones(5), torch.ones(5)))
attempt("no_grad", lambda: f(x.detach(), torch.ones(4)).requires_grad)
net = Net()
c = torch.compile(net, backend=backend)
for _ in range(2):
    attempt("net", lambda: c(torch.ones(2, 2)).backward())
    print([p.grad.sum() for p in net.parameters()])
net2 = Net()
net2.compile(backend="eager")
attempt("module", lambda: net2(torch.ones(2, 2)))
opt = torch.optim.SGD(net.parameters(), 0.1)
opt.step()
attempt("after a step", lambda: c(torch.ones(2, 2)))


@torch.compile(backend="eager", fullgraph=True)
def full(x):
    return x.relu() @ x.t()


attempt("full", lambda: full(torch.ones(2, 2)))


@torch.compile(backend="eager", fullgraph=True)
def breaks(x):
    print("in the middle")
    return x + 1


attempt("breaks", lambda: breaks(torch.ones(2, 2)))


@torch.compile(backend="aot_eager")
def aot(x):
    return (x.sin() * x).sum()


attempt("aot", lambda: aot(x).backward())
print(x.grad)


def several(a, b):
    a.mul_(2)
    c = a * b
    return c.sin(), c[1:], c


for name in ("eager", "aot_eager"):
    torch._dynamo.reset()
    g = torch.compile(several, backend=name)
    for n in (3, 3, 4, 5):
        a, b = torch.ones(n), torch.ones(n, requires_grad=True)
        attempt(name, lambda: [(t.grad_fn is not None, t._version, t._base is not None) for t in g(a, b)])
        s, v, c = g(a, b)
        s.register_hook(lambda g: print("hook", g))
        attempt(name, lambda: (s.sum() + v.sum()).backward(retain_graph=True))
        attempt(name, lambda: c.sum().backward())
        attempt("twice", lambda: s.sum().backward())
        print(a, a._version, b.grad)
    with torch.no_grad():
        attempt("no_grad", lambda: [t.requires_grad for t in g(a, b)])
    attempt("double", lambda: torch.autograd.grad(g(torch.ones(2), torch.ones(2, requires_grad=True))[0].sum(), a))
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 1))
    step = torch.compile(model, backend=name)
    opt = torch.optim.Adam(model.parameters(), 0.1)
    for i in range(5):
        opt.zero_grad()
        loss = step(torch.ones(3, 2) * i).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss, type(loss.grad_fn.next_functions[0][0]).__name__, model[1].running_mean)
explained = torch._dynamo.explain(lambda a: torch.add(a, 1).neg())(torch.ones(2))
print(explained.graph_count, explained.graph_break_count, explained.op_count)
print(torch._dynamo.utils.counters["frames"])
print(torch.random.get_rng_state().sum())
