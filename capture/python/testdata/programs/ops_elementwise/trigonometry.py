import torch

x = torch.tensor([0.1, 0.5, 0.9], requires_grad=True)
for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "sinc", "deg2rad", "rad2deg"):
    y = getattr(torch, name)(x)
    (g,) = torch.autograd.grad(y.sum(), x)
    print(name, y, getattr(x, name)().sum(), g)
    print(" ", getattr(x.detach().clone(), name + "_")())
y = torch.acosh(x + 1)
y.sum().backward()
print(y, x.grad, torch.ones(2).mul(2).acosh_())
print(torch.arcsin(x), torch.arccos(x), torch.arctan(x), torch.arcsinh(x), torch.arccosh(x + 1), torch.arctanh(x), x.arcsin(), x.arctan())
a, b = torch.tensor([1.0, -1.0], requires_grad=True), torch.tensor([2.0, 0.0])
print(torch.atan2(a, b), a.atan2(b), torch.arctan2(a, b), torch.tensor([1.0]).atan2_(torch.tensor([1.0])))
torch.atan2(a, b).sum().backward()
print(a.grad)
print(torch.asin(torch.tensor(2.0)), torch.sin(torch.tensor([1, 2])), torch.cos(torch.tensor(float("inf"))), torch.tan(torch.tensor(1.0, dtype=torch.float64)))
torch.tensor([1]).sin_()
