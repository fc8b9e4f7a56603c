"""Changes in place without gradients of tensors that have a history or a gradient."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)


def attempt(what, f):
    try:
        result = f()
    except RuntimeError as e:
        print(what, "raised", e)
    else:
        print(what, result if result is None else result.tolist())


print("saved")
for i in range(3):
    y = w * w
    with torch.no_grad():
        w.zero_()
    attempt("backward", lambda: y.sum().backward())
    y = w * 3.0
    with torch.no_grad():
        w.fill_(2.0)
    attempt("backward", lambda: y.sum().backward())
    print(w.grad.tolist())

print("gradients")
for i in range(3):
    w.grad.zero_()
    with torch.no_grad():
        w.grad.zero_()
    (w * w).sum().backward()
    with torch.no_grad():
        w.grad.clamp_(-1.0, 1.0)
        w -= 0.1 * w.grad
    print(w.tolist(), w.requires_grad, w.is_leaf)

print("history")
for i in range(3):
    t = torch.zeros(2)
    with torch.no_grad():
        t += 1.0
    t += w
    print(t.requires_grad, t.is_leaf)
    with torch.no_grad():
        t += 1.0
    t.sum().backward()
    print(w.grad.tolist())

print("by hooks")
inside = torch.zeros(2, requires_grad=True)


def hook(g):
    attempt("hook", lambda: inside.add_(1.0))
    with torch.no_grad():
        inside.add_(g)


w.register_hook(hook)
for i in range(3):
    with torch.no_grad():
        inside.add_(1.0)
    (w * 2.0).sum().backward()
    attempt("after", lambda: inside.add_(1.0))
    print(inside.tolist())

print("optimizers")
for make in (
    lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9, weight_decay=0.01),
    lambda ps: torch.optim.Adam(ps, lr=0.1),
    lambda ps: torch.optim.RMSprop(ps, lr=0.1),
):
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 2)
    opt = make(layer.parameters())
    for i in range(5):
        opt.zero_grad()
        layer(torch.ones(4, 3)).pow(2).mean().backward()
        opt.step()
    print([round(v, 4) for v in layer.weight.flatten().tolist()])
