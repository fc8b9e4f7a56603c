import torch

x = torch.tensor([-2.0, -0.5, 0.0, 1.5], requires_grad=True)
y = torch.where(x > 0, x, x * 0.1)
print(y)
y.sum().backward()
print(x.grad)
mask = x > -1
print(mask.sum(), mask.any(), mask.all(), mask.nonzero(), torch.where(mask), torch.logical_and(mask, x < 1), mask.int(), mask.float().mean())
print(x.masked_fill(mask, 9.0), x[mask], torch.masked_select(x, mask), x.clamp(min=-1, max=1), x.clamp(0), torch.maximum(x, torch.zeros(4)))
print(torch.where(mask, 1.0, 0.0), torch.where(mask, x, 0), torch.where(mask, 1, 2))
print(torch.isnan(x), torch.isfinite(x / 0), torch.isinf(x / 0), torch.sign(x), torch.nan_to_num(x / 0))
print(x.argmax(), x.max(), x.min(0), x.max(0).values, x.topk(2), x.sort(descending=True), x.argsort())
print(torch.any(mask).item() and True, mask.tolist(), mask & ~mask, mask | False, mask ^ True)
mask + mask
mask - mask
