import torch

b = torch.tensor([[True, False], [True, True]])
print(b.sum(), b.cumsum(0), b.prod(), b.max(), b.min(1), b.any(0), b.all(), b.sort(), torch.diff(b), b.mode(), b.clamp(0, 1), b / b.logical_not().logical_not(), b**2, b.to(torch.float).mean())
for bad in (lambda: b.mean(), lambda: b.median(), lambda: b.kthvalue(1), lambda: b.topk(1), lambda: b.trace(), lambda: b.abs(), lambda: -b, lambda: b - b, lambda: 1 - b, lambda: b % b, lambda: b // b, lambda: b @ b, lambda: b.floor(), lambda: b.argmax(), lambda: b.std(), lambda: b.bincount(), lambda: torch.pow(b, b), lambda: b.logcumsumexp(0), lambda: b.softmax(0), lambda: torch.relu(b), lambda: b.float().logical_not_().bitwise_not()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
