"""Backward passes of one form that succeed many times, and then fail or call the program."""

import torch

p = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([0.5, -1.0])


def loss():
    return ((p * x - 1.0) ** 2).mean()


def often():
    for _ in range(3):
        loss().backward()
    return p.grad.tolist()


def tried(what, f):
    try:
        f()
        print(what, "is fine", p.grad.tolist())
    except RuntimeError as e:
        print(what, type(e).__name__, e.__traceback__.tb_next.tb_lineno, str(e)[:60])


print(often())

twice = loss()


def again():
    twice.backward()
    twice.backward()


tried("twice", again)
print(often())


def changed():
    y = p * 2.0
    z = (y * y).mean()
    with torch.no_grad():
        y += 1.0
    z.backward()


tried("changed", changed)
tried("changed", changed)
print(often())


def several():
    (p * x).backward()


tried("not a scalar", several)
tried("no graph", lambda: x.mean().backward())
print(often())

handle = p.register_hook(lambda g: print("hook", g.tolist()))
print(often())
handle.remove()
print(often())


def refuse(g):
    raise RuntimeError("refused")


def hooked():
    y = p * x
    y.register_hook(refuse)
    y.mean().backward()


tried("hooked", hooked)
print(often())

after = p.register_post_accumulate_grad_hook(lambda t: print("after", t.grad.tolist()))
print(often())
after.remove()


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        print("backward of Double")
        return g * 2


for _ in range(2):
    Double.apply(loss()).backward()
    print(often())

kept = loss()
for _ in range(3):
    kept.backward(retain_graph=True)
kept.backward()
tried("kept", lambda: kept.backward())

p.grad = torch.ones(1).expand(2)
tried("shared", lambda: loss().backward())
p.grad = None
print(often())

with torch.autograd.detect_anomaly(check_nan=True):
    tried("nan", lambda: (p * 0.0).sqrt().mean().backward())
print(often())

q = torch.tensor(3.0, requires_grad=True)
w = q * 1.0
w.retain_grad()
for _ in range(2):
    (w * w).backward(retain_graph=True)
    print(w.grad.item(), q.grad.item())
