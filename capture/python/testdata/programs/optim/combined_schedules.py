import torch
from torch.optim import lr_scheduler as S


def optimizer():
    return torch.optim.SGD([torch.zeros(1)], lr=1.0)


def run(opt, sched, n=8):
    out = []
    for _ in range(n):
        opt.step()
        sched.step()
        out.append(round(sched.get_last_lr()[0], 6))
    return out


o = optimizer()
s = S.SequentialLR(o, [S.ConstantLR(o, 0.1, total_iters=2), S.ExponentialLR(o, 0.9)], milestones=[3])
print(run(o, s), s.last_epoch)
print(sorted(s.state_dict()), len(s.state_dict()["_schedulers"]))
o = optimizer()
c = S.ChainedScheduler([S.ConstantLR(o, 0.1, total_iters=2), S.ExponentialLR(o, 0.9)])
print(run(o, c))
o = optimizer()
warm = S.LinearLR(o, 0.1, total_iters=3)
n = S.SequentialLR(o, [warm, S.CosineAnnealingLR(o, 5)], [3])
print(run(o, n))
state = n.state_dict()
n.load_state_dict(state)
print(state["last_epoch"], state["_milestones"])
for f in (
    lambda: S.SequentialLR(o, [warm], [3]),
    lambda: S.SequentialLR(o, [], []),
    lambda: S.SequentialLR(o, [S.ReduceLROnPlateau(o)], []),
    lambda: S.ChainedScheduler([]),
    lambda: S.ChainedScheduler([S.StepLR(o, 1), S.ReduceLROnPlateau(o)]),
    lambda: S.ChainedScheduler([1], o),
):
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
