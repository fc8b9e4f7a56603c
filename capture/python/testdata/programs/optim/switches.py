import torch


def run(cls, **kw):
    torch.manual_seed(0)
    p = torch.randn(4, requires_grad=True)
    opt = cls([p], lr=0.1, **kw)
    for _ in range(3):
        p.grad = torch.randn(4)
        opt.step()
    return p.detach()


for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.Adagrad):
    base = run(cls)
    print(cls.__name__, base)
    for kw in (dict(foreach=True), dict(foreach=False), dict(fused=True), dict(fused=False)):
        print(kw, torch.allclose(base, run(cls, **kw)))
for cls in (torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adadelta, torch.optim.NAdam, torch.optim.ASGD):
    try:
        run(cls, capturable=True)
    except AssertionError as e:
        print(cls.__name__, e)
i = torch.zeros(2, dtype=torch.long)
