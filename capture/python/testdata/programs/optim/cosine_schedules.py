import torch
from torch.optim import lr_scheduler as S


def rates(make, n=12):
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    sched = make(opt)
    out = [round(sched.get_last_lr()[0], 8)]
    for _ in range(n):
        opt.step()
        sched.step()
        out.append(round(sched.get_last_lr()[0], 8))
    return out


print(rates(lambda o: S.CosineAnnealingLR(o, 5)))
print(rates(lambda o: S.CosineAnnealingLR(o, 4, eta_min=0.1)))
print(rates(lambda o: S.CosineAnnealingWarmRestarts(o, 3)))
print(rates(lambda o: S.CosineAnnealingWarmRestarts(o, 2, T_mult=2, eta_min=0.05)))
opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
s = S.CosineAnnealingWarmRestarts(opt, 2, T_mult=2)
for epoch in (0.5, 1.25, 3, 7.75):
    s.step(epoch)
    print(epoch, s.get_last_lr(), s.T_cur, s.T_i, s.last_epoch)
for f in (lambda: S.CosineAnnealingWarmRestarts(opt, 0), lambda: S.CosineAnnealingWarmRestarts(opt, 2, T_mult=0.5), lambda: S.CosineAnnealingWarmRestarts(opt, 2, eta_min="a"), lambda: s.step(-1)):
    try:
        f()
    except ValueError as e:
        print(e)
