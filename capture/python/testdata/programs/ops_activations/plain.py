import torch
import torch.nn.functional as F

x = torch.tensor([-3.5, -1.0, -0.2, 0.0, 0.6, 2.0, 7.0], requires_grad=True)
calls = [
    F.relu, F.relu6, F.elu, F.selu, F.celu, F.gelu, F.silu, F.mish, F.softplus, F.softsign, F.tanhshrink, F.logsigmoid, F.hardtanh, F.hardswish, F.hardsigmoid, F.hardshrink, F.softshrink, F.leaky_relu, F.sigmoid, F.tanh, torch.relu, torch.selu, torch.celu, torch.tanh,
    lambda v: F.elu(v, alpha=0.5), lambda v: F.celu(v, 2.0), lambda v: F.gelu(v, approximate="tanh"), lambda v: F.softplus(v, beta=2, threshold=5), lambda v: F.hardtanh(v, -0.5, 0.5), lambda v: F.hardshrink(v, 1.0), lambda v: F.softshrink(v, 0.1), lambda v: F.leaky_relu(v, 0.3), lambda v: F.threshold(v, 0.1, 20.0), lambda v: torch.threshold(v, 1, 0), lambda v: F.rrelu(v), lambda v: F.prelu(v, torch.tensor(0.25)), lambda v: torch.prelu(v, torch.tensor([0.5])), lambda v: F.softmin(v, dim=0), lambda v: F.softmax(v, dim=0), lambda v: F.log_softmax(v, 0), lambda v: torch.hardshrink(v), lambda v: torch.rrelu(v),
]
for i, f in enumerate(calls):
    y = f(x)
    (g,) = torch.autograd.grad(y.sum() + (y * y).sum(), x)
    print(i, y, g)
for name in ("relu_", "elu_", "selu_", "celu_", "leaky_relu_", "hardtanh_", "threshold_", "rrelu_"):
    y = x * 1
    f = getattr(F, name, None) or getattr(torch, name)
    z = f(y, 0.1, 5.0) if name == "threshold_" else f(y)
    print(name, z, z is y, y.grad_fn.name())
for f in (F.relu, F.relu6, F.elu, F.selu, F.celu, F.leaky_relu, F.hardtanh, F.hardswish, F.hardsigmoid, F.silu, F.mish, F.rrelu):
    y = x.detach().clone()
    print(f(y, inplace=True) is y, y)
print(torch.relu_(x.detach().clone()), x.detach().clone().relu_(), x.relu(), x.prelu(torch.tensor([0.1])), x.hardshrink(), torch.selu_(x.detach().clone()), torch.celu_(x.detach().clone()), torch.rrelu_(x.detach().clone()), x.detach().clone().sigmoid_())
w = torch.tensor([0.1, 0.5], requires_grad=True)
F.prelu(torch.tensor([[-1.0, -2.0], [3.0, -4.0]]), w).sum().backward()
print(w.grad)
for bad in (lambda: F.relu("a"), lambda: F.prelu(torch.ones(2, 3), w), lambda: F.softmax(x), lambda: F.softmin(x, 3), lambda: F.gelu(x, approximate="no"), lambda: F.glu(x), lambda: F.hardtanh(x, 1, 0), lambda: F.relu(x, inplace=True), lambda: F.elu(torch.tensor([1])), lambda: F.softshrink(x, -1.0), lambda: F.leaky_relu(torch.tensor([1, -1])), lambda: F.nothing(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
