import torch
from torch.optim import lr_scheduler as S


def rates(make, n=8):
    opt = torch.optim.SGD([{"params": [torch.zeros(1)]}, {"params": [torch.zeros(1)], "lr": 1.0}], lr=0.1)
    sched = make(opt)
    out = [sched.get_last_lr()]
    for _ in range(n):
        opt.step()
        sched.step()
        out.append(sched.get_last_lr())
    return out


for make in (
    lambda o: S.StepLR(o, 3),
    lambda o: S.MultiStepLR(o, [2, 5, 5], gamma=0.5),
    lambda o: S.ConstantLR(o, 0.25, total_iters=3),
    lambda o: S.LinearLR(o, 0.5, total_iters=4),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.PolynomialLR(o, 5, power=2.0),
    lambda o: S.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1 / (e + 1)]),
    lambda o: S.MultiplicativeLR(o, lambda e: 0.8),
):
    print(rates(make))
for f in (
    lambda o: S.ConstantLR(o, 2.0),
    lambda o: S.LinearLR(o, 0.0),
    lambda o: S.LinearLR(o, 0.5, 2.0),
    lambda o: S.LambdaLR(o, [abs]),
    lambda o: S.StepLR(o, 1, last_epoch=3),
    lambda o: S.StepLR("x", 1),
):
    try:
        rates(f)
    except (ValueError, KeyError, TypeError) as e:
        print(type(e).__name__, e)
