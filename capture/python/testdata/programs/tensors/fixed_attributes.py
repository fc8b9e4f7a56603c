import torch

x = torch.ones(2, requires_grad=True)
for name in ("data", "requires_grad", "grad_fn", "shape", "dtype", "device", "layout", "is_leaf", "_version", "ndim", "T", "is_quantized"):
    for change in (lambda: delattr(x, name), lambda: setattr(x, name, None)):
        try:
            change()
            print(name, "changed")
        except (RuntimeError, AttributeError, TypeError) as e:
            print(name, type(e).__name__, e)
del x.grad
print(x.grad, x.conj() is x, torch.conj(x) is x, x.resolve_conj() is x, x.resolve_neg() is x, x.real is x)
print(x.is_meta, x.is_nested, x.device, x.layout, torch.broadcast_shapes((2, 1), 3))
try:
    torch.broadcast_shapes(1.5)
except RuntimeError as e:
    print(e)
saved = (x * x).grad_fn._raw_saved_self
for hooks in ((), (lambda t: t,), (1, 2)):
    try:
        saved.register_hooks(*hooks)
    except TypeError as e:
        print(str(e).split("Invoked")[0])
try:
    torch.autograd.SavedTensor()
except RuntimeError as e:
    print(e)
