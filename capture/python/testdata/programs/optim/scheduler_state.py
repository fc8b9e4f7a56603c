import copy

import torch
from torch.optim import lr_scheduler as S


class Decay:
    def __init__(self, base):
        self.base = base

    def __call__(self, epoch):
        return self.base**epoch


def make(base=0.9):
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    return opt, S.LambdaLR(opt, Decay(base))


opt, s = make()
for _ in range(3):
    opt.step()
    s.step()
saved = copy.deepcopy(s.state_dict())
print(saved)
opt2, s2 = make(0.5)
s2.load_state_dict(saved)
print(s2.last_epoch, s2.lr_lambdas[0].base, s2.get_last_lr())
opt2.step()
s2.step()
print(s2.get_last_lr())
f = S.LambdaLR(opt, lambda e: 1.0)
print(f.state_dict()["lr_lambdas"])
c = S.CyclicLR(torch.optim.SGD([torch.zeros(1)], lr=1.0, momentum=0.9), 0.1, 1.0, mode="exp_range")
print(c.state_dict())
c.load_state_dict(c.state_dict())
m = S.MultiStepLR(opt, [1, 1, 4])
print(m.milestones, m.state_dict()["milestones"])
r = torch.optim.SGD([{"params": [torch.zeros(1)], "initial_lr": 1.0}], lr=0.1)
print(S.CosineAnnealingLR(r, 10, last_epoch=4).get_last_lr())
