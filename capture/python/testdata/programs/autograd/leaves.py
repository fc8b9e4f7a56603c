import torch

a = torch.ones(2)
b = torch.ones(2, requires_grad=True)
c = b * 2
d = c.detach()
e = torch.ones(2, requires_grad=True).double()
f = b.clone()
print([t.is_leaf for t in (a, b, c, d, e, f)], [t.requires_grad for t in (a, b, c, d, e, f)])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


def assign(t, name, value):
    setattr(t, name, value)
    return getattr(t, name)


attempt(lambda: assign(c, "requires_grad", False))
attempt(lambda: assign(torch.tensor([1]), "requires_grad", True))
attempt(lambda: torch.tensor([1, 2], requires_grad=True))
attempt(lambda: b.add_(1))
attempt(lambda: b[0].mul_(2))
attempt(lambda: b.__setitem__(0, 5.0))
attempt(lambda: torch.add(a, a, out=b))
attempt(lambda: assign(b, "grad", torch.ones(3)))
attempt(lambda: assign(b, "grad", torch.ones(2).double()))
attempt(lambda: assign(b, "grad", "text"))
attempt(lambda: assign(b, "grad", torch.ones(2)))
attempt(lambda: b.grad_fn)
attempt(lambda: d.requires_grad_().is_leaf)
attempt(lambda: c.detach_().is_leaf)
attempt(lambda: b[:1].detach_())
attempt(lambda: b.retain_grad())
attempt(lambda: a.retain_grad())
print(c.retains_grad, b.output_nr)
