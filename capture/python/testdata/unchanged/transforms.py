# functorch: vmap, grad, jvp, jacobians, and forward mode.
import torch
from torch import nn

try:
    from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
except ImportError:
    try:
        from functorch import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
        functional_call = None
    except ImportError as e:
        print(e)
        raise SystemExit


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e).strip().split("\n")[0][:150])


torch.manual_seed(0)
x = torch.randn(3)
w = torch.randn(3, requires_grad=True)
seen = []


def loss(x):
    seen.append((type(x).__name__, tuple(x.shape), x.requires_grad))
    y = torch.sin(x) * w
    y = y + x[0].item() if False else y
    return (y * y).sum()


for _ in range(2):
    attempt("grad", lambda: grad(loss)(x))
    attempt("grad of grad", lambda: grad(lambda a: grad(loss)(a).sum())(x))
    attempt("vmap", lambda: vmap(loss)(torch.ones(2, 3)))
    attempt("vmap of grad", lambda: vmap(grad(loss))(torch.ones(2, 3)))
    attempt("jacrev", lambda: jacrev(torch.sin)(x))
    attempt("jacfwd", lambda: jacfwd(torch.sin)(x))
    attempt("hessian", lambda: hessian(loss)(x))
    attempt("jvp", lambda: jvp(loss, (x,), (torch.ones(3),)))
    attempt("vjp", lambda: vjp(torch.exp, x)[1](torch.ones(3)))
    attempt("value", lambda: grad_and_value(loss)(x))
    attempt("backward through", lambda: grad(loss)(x).sum().backward())
    attempt("inner error", lambda: vmap(lambda a: a.view(7))(torch.ones(2, 3)))
    attempt("item", lambda: vmap(lambda a: a.item())(torch.ones(2)))
    attempt("random", lambda: vmap(lambda a: a + torch.rand(1))(torch.ones(2)))
    attempt("random ok", lambda: vmap(lambda a: a + torch.rand(1), randomness="different")(torch.ones(2)))
    attempt("in place", lambda: vmap(lambda a: a.mul_(2))(torch.ones(2, 2)))
    attempt("printing", lambda: vmap(lambda a: (print(a), a)[1])(torch.ones(2, 2)))
    attempt("after", lambda: (w * 2).sum().backward())
    print(w.grad, seen[-1])
    w.grad = None
if functional_call:
    net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
    params = {k: v.detach() for k, v in net.named_parameters()}
    attempt("per sample", lambda: vmap(grad(lambda p, s: functional_call(net, p, (s,)).sum()), in_dims=(None, 0))(params, torch.ones(2, 3))["0.weight"].shape)

import torch.autograd.forward_ad as fw  # noqa: E402

for _ in range(2):
    with fw.dual_level():
        d = fw.make_dual(x, torch.ones(3))
        y = (d.sin() * w).relu()
        print(fw.unpack_dual(y))
        z = y.detach()
        print(fw.unpack_dual(z), fw.unpack_dual(y[1:]))
        b = torch.zeros(3)
        b.copy_(y)
        print(fw.unpack_dual(b))
    attempt("outside", lambda: fw.unpack_dual(y))


class Cube(torch.autograd.Function):
    generate_vmap_rule = False

    @staticmethod
    def forward(x):
        return x ** 3, 3 * x ** 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x, output[1])
        ctx.save_for_forward(x, output[1])

    @staticmethod
    def backward(ctx, g, h):
        x, d = ctx.saved_tensors
        return g * d + h * 6 * x

    @staticmethod
    def vmap(info, in_dims, x):
        print("vmap rule", info.batch_size, in_dims)
        return Cube.apply(x), (in_dims[0], in_dims[0])

    @staticmethod
    def jvp(ctx, t):
        x, d = ctx.saved_tensors
        return t * d, t * 6 * x


for _ in range(2):
    attempt("cube", lambda: Cube.apply(w)[0].sum().backward())
    attempt("cube vmap", lambda: vmap(lambda a: Cube.apply(a)[0])(torch.ones(2, 3)))
    attempt("cube grad", lambda: grad(lambda a: Cube.apply(a)[0].sum())(x))
    attempt("cube jvp", lambda: jvp(lambda a: Cube.apply(a)[0], (x,), (torch.ones(3),)))
print(w.grad, torch.random.get_rng_state().sum())
