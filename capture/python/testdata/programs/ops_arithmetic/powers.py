import torch

x = torch.tensor([0.5, 1.0, 2.0, 3.0], requires_grad=True)
p = torch.tensor([2.0, -1.0, 0.5, 0.0], requires_grad=True)
print(torch.pow(x, 2), torch.pow(x, p), torch.pow(2, x), x.pow(3), x.pow(p), x**-0.5, 2.5**x)
print(torch.float_power(x, 2), torch.float_power(x, p), torch.float_power(2, x), x.float_power(0.5).dtype)
print(torch.ldexp(x, torch.tensor([1, 2, 3, 4])), x.ldexp(torch.tensor(1)), torch.xlogy(x, p.abs() + 1), torch.xlogy(2, x), torch.xlogy(x, 2), x.xlogy(x), torch.special.xlog1py(x, x))
(torch.pow(x, p).sum() + torch.pow(2, x).sum() + x.pow(3).sum() + torch.xlogy(x, x).sum()).backward()
print(x.grad, p.grad)
i = torch.tensor([1, 2, 3])
print(i.pow(2), torch.pow(i, i), torch.pow(2, i), i**0.5, torch.float_power(i, 2))
y = torch.tensor([1.0, 2.0])
print(y.pow_(2), y.ldexp_(torch.tensor(2)), y.xlogy_(torch.tensor([1.0, 3.0])))
d = torch.tensor([1.0, 2.0], dtype=torch.float64)
print(d.float_power_(2), d.float_power_(torch.tensor([1, 2])), d.__rpow__(2))
for bad in (lambda: i.pow(-1), lambda: i**-1, lambda: i.pow_(0.5), lambda: torch.pow(2, 3), lambda: y.float_power_(2), lambda: torch.pow(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
z = torch.zeros(2, requires_grad=True)
z.pow(0.5).sum().backward()
print(z.grad, torch.pow(torch.zeros(1), 0), torch.pow(torch.tensor(-8.0), 1 / 3))
