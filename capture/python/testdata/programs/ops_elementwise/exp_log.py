import torch

x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
total = 0
for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sigmoid", "tanh", "logit", "erf", "erfc", "sqrt", "rsqrt", "square", "reciprocal", "abs", "neg"):
    f = getattr(torch, name)
    y = f(x)
    total = total + y[1] if name != "logit" else total
    print(name, y, getattr(x, name)(), y.grad_fn.name())
    print(" ", getattr(x.detach().clone(), name + "_")())
total.backward()
print(x.grad)
a, b = torch.tensor([1.0, 2.0]), torch.tensor([3.0, -1.0])
print(torch.logaddexp(a, b), torch.logaddexp2(a, b), a.logaddexp(b), a.logaddexp2(b), torch.hypot(a, b), a.hypot(b), a.clone().hypot_(b))
print(torch.log(torch.tensor([0.0, -1.0])), torch.exp(torch.tensor([1000.0, -1000.0])), torch.log1p(torch.tensor(-1.0)), torch.logit(torch.tensor([0.0, 0.3, 1.0]), eps=0.1))
print(torch.exp(torch.tensor([1, 2])), torch.sigmoid(torch.tensor(1)), torch.log(torch.tensor(3, dtype=torch.int8)), torch.exp(torch.tensor(1.0, dtype=torch.float64)), torch.exp(torch.tensor(1.0, dtype=torch.float16)))
out = torch.empty(2)
torch.exp(a, out=out)
print(out, torch.special.expit(a), torch.special.exp2(a), torch.special.expm1(a), torch.special.log1p(a), torch.special.logit(a / 4), torch.special.erf(a))
for bad in (lambda: torch.tensor([1, 2]).exp_(), lambda: torch.exp("x"), lambda: torch.log(), lambda: x.exp_(), lambda: torch.exp(a, 2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
