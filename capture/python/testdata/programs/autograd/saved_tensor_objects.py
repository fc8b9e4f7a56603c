import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
slot = y.grad_fn._raw_saved_result
print(type(slot).__name__)
slot.register_hooks(lambda t: (print("pack", t, t.requires_grad), t * 2)[1], lambda t: (print("unpack", t), t)[1])
for f in (
    lambda: slot.register_hooks(lambda t: t, lambda t: t),
    lambda: y.sum().backward(),
    lambda: print(x.grad),
    lambda: y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t),
    lambda: print(y.grad_fn._saved_result),
):
    try:
        f()
    except RuntimeError as e:
        print(e)
z = torch.cat([x, x]) * torch.ones(4)
print(z.grad_fn._saved_self, z.grad_fn._saved_other)
try:
    z.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except RuntimeError as e:
    print(e)
w = x[torch.tensor([0, 1])]
print(w.grad_fn._saved_indices, w.grad_fn._saved_self_sym_sizes)
print(x.sum(0).grad_fn._saved_dim, x.view(2, 1).grad_fn._saved_self_sym_sizes, (x**3).grad_fn._saved_exponent)
