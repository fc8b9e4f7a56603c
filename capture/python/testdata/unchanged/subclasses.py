# Tensors and modes that answer for themselves: __torch_function__ and __torch_dispatch__.
import torch
from torch.utils._python_dispatch import TorchDispatchMode

log = []


class Logs(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        log.append((getattr(func, "__name__", "?"), len(args), sorted(kwargs or {}), [t.__name__ for t in types]))
        return super().__torch_function__(func, types, args, kwargs or {})


class Duck:
    """No tensor, but with an answer."""

    handled = {}

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        log.append((func.__name__, sorted(t.__name__ for t in types)))
        if func in cls.handled:
            return cls.handled[func](*args, **(kwargs or {}))
        return NotImplemented


Duck.handled[torch.add] = lambda *a, **k: "added"
Duck.handled[torch.Tensor.mul] = lambda *a, **k: "multiplied"
Duck.handled[torch.nn.functional.gelu] = lambda *a, **k: "gelu"
Duck.handled[torch.Tensor.__getitem__] = lambda *a: "item"
Duck.handled[torch.Tensor.grad.__get__] = lambda *a: "grad"


class Refuses(Duck):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise KeyError(func.__name__)


def attempt(f):
    del log[:]
    try:
        r = f()
        print(type(r).__name__, r if not isinstance(r, torch.Tensor) or type(r) is torch.Tensor else r.as_subclass(torch.Tensor))
    except Exception as e:
        print(type(e).__name__, e)
    print("   ", log)


x = torch.ones(3).as_subclass(Logs).requires_grad_()
for _ in range(2):
    attempt(lambda: x * 2 + 1)
    attempt(lambda: 2 - x)
    attempt(lambda: x[1:])
    attempt(lambda: torch.stack([x, x]))
    attempt(lambda: (x * x).sum().backward())
    attempt(lambda: x.grad)
    attempt(lambda: x.detach().add_(1))
    attempt(lambda: x.shape)
    attempt(lambda: x.T)
    attempt(lambda: x.data)
    attempt(lambda: torch.nn.functional.linear(torch.ones(2, 3), torch.ones(1, 3).as_subclass(Logs)))
    attempt(lambda: x.sum().item())
    attempt(lambda: [float(v) for v in x.detach()])
    attempt(lambda: x.clone().__setitem__(0, 2.0))
    attempt(lambda: x.numpy())
    attempt(lambda: x.requires_grad)
    attempt(lambda: len(x))
    attempt(lambda: repr(x.detach()))
    attempt(lambda: torch.nn.Parameter(x))
    attempt(lambda: setattr(x, "grad", None))
    attempt(lambda: x.tolist())
    attempt(lambda: x.view(7))
    attempt(lambda: torch.add(Duck(), 1))
    attempt(lambda: torch.add(torch.ones(1), Duck()))
    attempt(lambda: torch.ones(1) + Duck())
    attempt(lambda: torch.ones(1) * Duck())
    attempt(lambda: Duck() * torch.ones(1))
    attempt(lambda: torch.ones(1) - Duck())
    attempt(lambda: torch.sub(torch.ones(1), Duck()))
    attempt(lambda: torch.nn.functional.gelu(Duck()))
    attempt(lambda: torch.stack([torch.ones(1), Duck()]))
    attempt(lambda: torch.sum(Refuses()))
    attempt(lambda: torch.ones(1) == Duck())
    attempt(lambda: torch.ones(1)[Duck()])
    attempt(lambda: torch.Tensor.add(Duck(), 1))
    attempt(lambda: torch.Tensor.__getitem__(Duck(), 1))
    attempt(lambda: torch.where(Duck(), 1, 2))


class Counts(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        log.append(getattr(func, "__name__", "?"))
        return func(*args, **(kwargs or {}))


class Doubles(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is torch.ones or func == torch.ones:
            return func(*args, **(kwargs or {})) * 2
        if func in (torch.Tensor.mul, torch.Tensor.add):
            log.append("in a tuple")
        return func(*args, **(kwargs or {}))


def with_mode(mode):
    with mode:
        a = torch.ones(2, requires_grad=True)
        b = (a * 2 + 1).sum()
        b.backward()
        c = a.grad[0].item(), a.requires_grad, a.shape, torch.nn.functional.relu(a)
        torch.nn.Linear(2, 1)(a)
    return c


for _ in range(2):
    attempt(lambda: with_mode(Counts()))
    attempt(lambda: with_mode(Doubles()))


class Dispatched(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        log.append(str(func))
        return func(*args, **(kwargs or {}))


for _ in range(2):
    try:
        attempt(lambda: with_mode(Dispatched()))
    except TypeError as e:
        print(e)


class Wraps(torch.Tensor):
    @staticmethod
    def __new__(cls, elem):
        r = torch.Tensor._make_wrapper_subclass(cls, elem.size(), dtype=elem.dtype, requires_grad=elem.requires_grad)
        r.elem = elem.detach()
        return r

    def __repr__(self):
        return "Wraps(%s)" % self.elem

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        log.append(str(func))
        args = [a.elem if isinstance(a, Wraps) else a for a in args]
        out = func(*args, **(kwargs or {}))
        return Wraps(out) if isinstance(out, torch.Tensor) else out


for _ in range(2):
    w = Wraps(torch.ones(2, 2).requires_grad_())
    attempt(lambda: repr(w * 2))
    attempt(lambda: repr((w @ w).sum()))
    attempt(lambda: (w * 3).sum().backward())
    attempt(lambda: repr(w.grad))
    attempt(lambda: repr(w[0]))
    attempt(lambda: repr(w.t()))
    attempt(lambda: w.detach().add_(1) and None)
    attempt(lambda: (w.shape, w.dtype, w.device, w.requires_grad, w.is_leaf))
print(torch.overrides.is_tensor_method_or_property(torch.Tensor.add), torch.overrides.resolve_name(torch.add), torch.overrides.resolve_name(torch.Tensor.add))
