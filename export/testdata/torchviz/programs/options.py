import torch

a = torch.ones(2, 3, requires_grad=True)
b = a.clamp(min=0.5).div(3, rounding_mode="floor")
c = torch.where(a > 0, a / 3.7, b).clamp(0.1, 1e-7).to(torch.float64)
root = (c.norm(dim=1) + c.cumsum(-1).max() + a.roll(1, -1).flip(0).sum() + a.std() + c.median()).mean()
params = {"a": a}
