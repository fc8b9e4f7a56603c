import torch

x = torch.tensor([-2.0, -0.5, 0.5, 3.0], requires_grad=True)
lo, hi = torch.tensor([-1.0, 0.0, 0.0, 0.0], requires_grad=True), torch.tensor([0.0, 1.0, 0.25, 2.0], requires_grad=True)
print(torch.clamp(x, -1, 1), torch.clamp(x, min=0), torch.clamp(x, max=0.5), x.clamp(lo, hi), x.clip(-1, 2), torch.clip(x, max=1))
print(torch.clamp_min(x, 0), torch.clamp_max(x, 0), x.clamp_min(lo), x.clamp_max(hi), torch.clamp(x, max=hi))
print(torch.maximum(x, lo), torch.minimum(x, hi), x.maximum(lo), x.minimum(hi), torch.fmax(x, lo), torch.fmin(x, hi), x.fmax(lo), x.fmin(hi))
(x.clamp(lo, hi).sum() + torch.maximum(x, lo).sum() + torch.fmin(x, hi).sum()).backward()
print(x.grad, lo.grad, hi.grad)
n = torch.tensor([float("nan"), 1.0])
print(n.clamp(0, 2), torch.maximum(n, torch.zeros(2)), torch.fmax(n, torch.zeros(2)), torch.fmin(n, torch.zeros(2)))
c = torch.tensor([-3.0, 0.0, 3.0])
print(c.clamp_(-2, 2), c.clamp_min_(-1), c.clamp_max_(1), c.clip_(-0.5, 0.5), c.clamp_(min=torch.zeros(3)), c.clamp_max_(torch.tensor(0.25)), c.clamp_min_(torch.tensor([0.1])))
i = torch.tensor([1, 5, 9])
print(i.clamp(2, 6), i.clamp(2.5, 6), i.clamp(min=3), torch.maximum(i, torch.tensor(4)))
print(torch.lerp(x, hi, 0.5), torch.lerp(x, hi, lo.detach()), x.lerp(hi, 0.1), c.lerp_(torch.ones(3), 0.5), c.lerp_(torch.zeros(3), torch.tensor([0.0, 0.5, 1.0])))
torch.lerp(x, hi, 0.25).sum().backward()
print(x.grad, hi.grad)
for bad in (lambda: x.clamp(), lambda: torch.clamp(x, "a"), lambda: torch.lerp(x, hi, i), lambda: torch.lerp(x, i, 0.5), lambda: torch.maximum(x, 1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
