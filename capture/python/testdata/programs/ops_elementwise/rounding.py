import torch

x = torch.tensor([-2.5, -0.5, 0.5, 1.5, 2.25, 1234.5678], requires_grad=True)
print(torch.round(x), torch.round(x, decimals=1), x.round(decimals=-2), torch.ceil(x), torch.floor(x), torch.trunc(x), torch.fix(x), torch.frac(x))
print(x.round(), x.ceil(), x.floor(), x.trunc(), x.fix(), x.frac(), torch.sign(x), x.sgn(), x.sign(), torch.abs(x), torch.absolute(x), x.absolute())
(x.round().sum() + x.frac().sum() + x.sign().sum() + x.abs().sum()).backward()
print(x.grad)
c = x.detach().clone()
print(c.round_(decimals=2), c.frac_(), c.mul_(10).floor_(), c.add_(0.5).ceil_(), c.mul_(1.1).trunc_(), c.mul_(0.3).round_(), c.fix_(), c.sign_(), c.sgn_(), c.abs_(), c.absolute_())
print(torch.special.round(x, decimals=1), torch.signbit(x), torch.tensor([0.0, -0.0]).signbit(), torch.angle(torch.tensor([1.0, -1.0])))
i = torch.tensor([1, -2])
print(i.round(), i.ceil(), i.floor(), i.abs(), i.sign(), i.trunc())
n = torch.tensor([float("nan"), float("inf"), -float("inf"), 1.0], requires_grad=True)
print(torch.nan_to_num(n), torch.nan_to_num(n, nan=1.0, posinf=2.0, neginf=-2.0), n.nan_to_num(0.5), n.detach().clone().nan_to_num_(0))
torch.nan_to_num(n, 0, 1, 2).sum().backward()
print(n.grad)
for bad in (lambda: torch.frac(i), lambda: i.round(decimals=1), lambda: torch.round(x, 1), lambda: torch.sign("a")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
