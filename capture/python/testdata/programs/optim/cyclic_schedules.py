import torch
from torch.optim import lr_scheduler as S


def show(make, cls=torch.optim.SGD, n=9, **kw):
    opt = cls([torch.zeros(1)], lr=0.1, **kw)
    sched = make(opt)
    for _ in range(n):
        g = opt.param_groups[0]
        print(round(g["lr"], 6), round(g["momentum"] if "momentum" in g else g["betas"][0], 6), end="; ")
        opt.step()
        sched.step()
    print(sorted(opt.param_groups[0]))


show(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=3), momentum=0.9)
show(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2, step_size_down=1, mode="triangular2"), momentum=0.9)
show(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2, mode="exp_range", gamma=0.9), torch.optim.Adam)
show(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=2, scale_fn=lambda x: 1 / x, cycle_momentum=False))
show(lambda o: S.OneCycleLR(o, 0.5, total_steps=10), momentum=0.9)
show(lambda o: S.OneCycleLR(o, 0.5, epochs=2, steps_per_epoch=5, anneal_strategy="linear"), torch.optim.AdamW)
show(lambda o: S.OneCycleLR(o, 0.5, total_steps=10, three_phase=True, cycle_momentum=False))
for f in (
    lambda o: S.CyclicLR(o, 0.1, 1.0, mode="square"),
    lambda o: S.CyclicLR(o, [0.1, 0.2], 1.0),
    lambda o: S.OneCycleLR(o, 0.5),
    lambda o: S.OneCycleLR(o, 0.5, total_steps=-1),
    lambda o: S.OneCycleLR(o, 0.5, total_steps=5, pct_start=2.0),
    lambda o: S.OneCycleLR(o, 0.5, total_steps=5, anneal_strategy="x"),
    lambda o: S.OneCycleLR(o, 0.5, total_steps=2),
):
    try:
        show(f)
    except ValueError as e:
        print(e)
show(lambda o: S.CyclicLR(o, 0.1, 1.0), torch.optim.Rprop)
