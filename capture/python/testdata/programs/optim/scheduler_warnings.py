import warnings

import torch
from torch.optim import lr_scheduler as S


def caught(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        f()
    for x in w:
        print(x.category.__name__, str(x.message))
    print(len(w))


def order():
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    s = S.StepLR(opt, 1)
    s.step()
    opt.step()
    s.step()


def overridden():
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    s = S.StepLR(opt, 1)
    opt.step = lambda: None
    s.step()


def get_lr():
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    print(S.StepLR(opt, 1).get_lr())


def verbose():
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    s = S.ExponentialLR(opt, 0.5, verbose=True)
    print(s.verbose)
    s.print_lr(True, 0, 0.5, 3)


def closed_form():
    opt = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    s = S.ExponentialLR(opt, 0.5)
    opt.step()
    s.step(5)
    print(s.get_last_lr(), s.last_epoch)


for f in (order, overridden, get_lr, verbose, closed_form):
    caught(f)
