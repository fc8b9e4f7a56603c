import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

metrics = [1.0, 0.9, 0.9, 0.9, 0.89, 0.9, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5]
for kw in (
    dict(patience=1),
    dict(patience=0, factor=0.5, cooldown=2, min_lr=0.02),
    dict(mode="max", patience=1, threshold=0.1, threshold_mode="abs"),
    dict(patience=1, threshold=0.05, eps=0.05),
):
    opt = torch.optim.SGD([torch.zeros(1)], lr=0.1)
    s = ReduceLROnPlateau(opt, **kw)
    rates = []
    for m in metrics:
        opt.step()
        s.step(torch.tensor(m))
        rates.append(round(s.get_last_lr()[0], 8))
    print(kw, rates, s.best, s.num_bad_epochs, s.in_cooldown)
print(s.state_dict())
t = ReduceLROnPlateau(opt)
t.load_state_dict(s.state_dict())
print(t.threshold, t.best)
for kw in (dict(factor=1.0), dict(mode="x"), dict(threshold_mode="x"), dict(min_lr=[0.1, 0.2])):
    try:
        ReduceLROnPlateau(opt, **kw)
    except ValueError as e:
        print(e)
