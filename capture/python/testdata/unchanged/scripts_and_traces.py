# TorchScript, tracing, symbolic tracing: what they make of functions that are replaced.
import io
import warnings

import torch
import torch.nn.functional as F
from torch import nn


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        y = self.norm(F.relu(self.lin(x)))
        if bool(y.sum() > 0):
            y = y * 2
        return torch.sigmoid(y).sum(dim=1) + torch.add(x[:, 0], 1.0)


@torch.jit.script
def scripted(x, n: int):
    for i in range(n):
        x = torch.tanh(x) + F.gelu(x) @ x.t() if i % 2 == 0 else x.relu_()
    return x


def plain(x):
    return torch.special.expit(x) + torch.fft.fft(x).real + torch.linalg.norm(x)


torch.manual_seed(0)
x = torch.randn(4, 3)
w = torch.randn(3, 3, requires_grad=True)
attempt("scripted", lambda: scripted(w, 3).sum().backward())
attempt("grad", lambda: w.grad)
attempt("code", lambda: scripted.code)
net = Net()
s = torch.jit.script(net)
attempt("same", lambda: torch.equal(s.eval()(x), net.eval()(x)))
attempt("graph", lambda: str(s.graph).count("aten::"))
attempt("function", lambda: torch.jit.script(plain).code)
attempt("wrong", lambda: torch.jit.script(lambda x: x.nothing()))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    t = torch.jit.trace(net, x)
    for w in caught:
        print(w.category.__name__, w.filename.rpartition("/")[2], w.lineno, str(w.message)[:60])
attempt("traced", lambda: torch.equal(t(x), net(x)))
attempt("traced code", lambda: t.code)
attempt("traced function", lambda: torch.jit.trace(lambda a: (a * 2).view(a.shape[0], -1).sum().item() and a + 1, x).code)
attempt("traced small", lambda: torch.jit.trace(lambda a: a.relu().exp() * torch.ones(2), torch.ones(2)).graph)
file = io.BytesIO()
torch.jit.save(s, file)
file.seek(0)
attempt("loaded", lambda: torch.jit.load(file)(x))
attempt("gradients", lambda: [p.grad is None for p in (s(x).sum().backward(), s)[1].parameters()])
attempt("frozen", lambda: torch.jit.freeze(s.eval())(x))
attempt("is_scripting", lambda: (torch.jit.is_scripting(), torch.jit.is_tracing()))

import torch.fx  # noqa: E402


class Straight(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)
        self.w = nn.Parameter(torch.ones(2))

    def forward(self, x):
        y = torch.relu(self.lin(x)) + self.w
        y = F.gelu(y).view(-1, 2).transpose(0, 1)[0] * 2
        return torch.cat([y, y]).mean() @ torch.ones(()) if False else torch.stack([y, torch.add(y, 1)]).softmax(0)


g = torch.fx.symbolic_trace(Straight())
print(g.code)
print(g.graph)
print([(n.op, getattr(n.target, "__name__", n.target)) for n in g.graph.nodes])
for n in g.graph.nodes:
    if n.target in (torch.relu, F.gelu, torch.cat, torch.stack):
        print(n.name, "is one of them")
    if n.target == torch.relu:
        n.target = torch.sigmoid
g.recompile()
print(g.code)
attempt("fx", lambda: g(x))
attempt("fx wrong", lambda: torch.fx.symbolic_trace(Net()))
attempt("fx traced again", lambda: torch.fx.symbolic_trace(g).code == g.code)


def for_make_fx(a):
    return (a * 2).relu().sum()


try:
    from torch.fx.experimental.proxy_tensor import make_fx

    print(make_fx(for_make_fx)(torch.ones(2, 2)).code)
    print(make_fx(torch.func.grad(for_make_fx))(torch.ones(2, 2)).code)
    print(make_fx(lambda a: torch.ops.aten.add.Tensor(a, a).neg())(torch.ones(9)).code)
except (ImportError, AttributeError) as e:
    print(e)
x = torch.ones(3, requires_grad=True)
attempt("ops", lambda: torch.ops.aten.mul(x, x).sum().backward())
attempt("ops grad", lambda: x.grad)
print(torch.random.get_rng_state().sum())
