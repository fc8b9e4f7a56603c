import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential, set_checkpoint_early_stop

torch.manual_seed(0)
x = torch.ones(2, requires_grad=True)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


def f(t):
    return t.exp() * 2


attempt(lambda: torch.autograd.grad(checkpoint(f, x, use_reentrant=True).sum(), x))
attempt(lambda: torch.autograd.grad(checkpoint(f, x, use_reentrant=False).sum(), x))
attempt(lambda: checkpoint(f, x, use_reentrant=True).sum().backward(inputs=[x]))
attempt(lambda: checkpoint(f, x, use_reentrant=True, k=2))
attempt(lambda: checkpoint(f, x, use_reentrant=True, debug=True))
attempt(lambda: checkpoint(f, x, use_reentrant=False, determinism_check="odd"))
attempt(lambda: checkpoint(lambda t: t.detach(), x, use_reentrant=True).sum().backward())
drop = nn.Dropout(0.5)
for reentrant in (True, False):
    x.grad = None
    y = checkpoint(lambda t: drop(t * 4), torch.ones(8, requires_grad=True), use_reentrant=reentrant)
    print(y)
    a = torch.ones(8, requires_grad=True)
    y = checkpoint(lambda t: drop(t * 4), a, use_reentrant=reentrant, preserve_rng_state=True)
    y.sum().backward()
    print(torch.equal(a.grad, y.detach()))
count = []


def counted(t):
    t = t.sin()
    count.append(1)
    t = t.cos()
    count.append(2)
    return t * 1


for stop in (True, False):
    count.clear()
    with set_checkpoint_early_stop(stop):
        y = checkpoint(counted, x, use_reentrant=False)
    y.sum().backward()
    print(stop, count)
state = []


def changing(t):
    state.append(1)
    return t.sin().cos() if len(state) == 1 else t * 2


attempt(lambda: checkpoint(changing, x, use_reentrant=False).sum().backward())
net = nn.Sequential(*(nn.Linear(2, 2) for _ in range(5)))
y = checkpoint_sequential(net, 2, x, use_reentrant=False)
print(torch.allclose(y, net(x)))
y.sum().backward()
print(net[0].weight.grad.shape)
