# No tensor lives longer than it would: not results, not gradients, not what raised an error.
import gc
import weakref

import torch

gc.disable()


def dies(t):
    r = weakref.ref(t)
    del t
    return r


a = torch.ones(3, requires_grad=True)
r = dies(a * 2)
print("result", r() is None)
r = dies((a * 2).detach())
print("detached", r() is None)
b = a * 3
view = b[1:]
r = weakref.ref(b)
del b
print("base", r() is None)
del view
print("base without its view", r() is None)

c = a.exp()
r = weakref.ref(c)
loss = c.sum()
del c
print("saved result", r() is None)
loss.backward()
del loss
print("after backward", r() is None)

r = weakref.ref(a.grad)
a.grad = None
print("gradient", r() is None)

rs = []


def hook(g):
    rs.append(weakref.ref(g))


d = a * 2
h = d.register_hook(hook)
d.sum().backward()
print("gradient of a hook", [x() is None for x in rs])
r = weakref.ref(d)
del d
h.remove()
print("with a hook", r() is None)


class Box:
    def __init__(self, t):
        self.t = t


try:
    big = torch.ones(3)
    r = weakref.ref(big)
    torch.mm(Box(big).t, big)
except RuntimeError as error:
    kept = error
    big = None
print("operand of an error", r() is None)
kept.__traceback__ = None
print("and without its traceback", r() is None)


def temporary():
    t = torch.ones(2, 3)
    rs.append(weakref.ref(t))
    return t


try:
    torch.mm(temporary(), temporary())
except RuntimeError as e:
    kept = e
print("temporaries of an error", [x() is None for x in rs[-2:]])
try:
    temporary() + torch.ones(7)
except RuntimeError as e:
    kept = e
print("temporary of an operator", rs[-1]() is None)
for _ in range(12):
    try:
        temporary() * torch.ones(7)
    except RuntimeError as e:
        kept = e
print("often", [x() is None for x in rs[-12:]])
try:
    temporary().data = 1
except TypeError as e:
    kept = e
print("data", rs[-1]() is None)
try:
    temporary().grad = torch.ones(7)
except RuntimeError as e:
    kept = e
print("grad", rs[-1]() is None)
try:
    torch.stack([temporary(), torch.ones(1)])
except RuntimeError as e:
    kept = e
print("list", rs[-1]() is None)


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        raise ValueError("on purpose")


try:
    Fails.apply(temporary())
except ValueError as e:
    kept = e.with_traceback(None)
print("function", rs[-1]() is None)

n = sum(isinstance(o, torch.Tensor) for o in gc.get_objects())
x = torch.ones(2, requires_grad=True)
for _ in range(50):
    y = (x * 2).relu().sum()
    y.backward()
    x.grad = None
print("tensors that came to stay", sum(isinstance(o, torch.Tensor) for o in gc.get_objects()) - n)
print(weakref.getweakrefcount(x), weakref.getweakrefs(x), a.__dict__)

optimizer = torch.optim.Adam([x], lr=0.1)
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
model(torch.ones(1, 2)).sum().backward()
r = [weakref.ref(p) for p in model.parameters()] + [weakref.ref(model), weakref.ref(model[0])]
del model
gc.collect()
print("model", [x() is None for x in r])
