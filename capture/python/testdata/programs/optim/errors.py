import torch
from torch import optim

p = torch.nn.Parameter(torch.ones(2))
q = torch.nn.Parameter(torch.ones(3))
cases = [
    lambda: optim.SGD([p], lr=-1),
    lambda: optim.SGD([p], lr=0.1, momentum=-0.5),
    lambda: optim.SGD([p], lr=0.1, weight_decay=-0.5),
    lambda: optim.SGD([p], lr=0.1, nesterov=True),
    lambda: optim.Adam([p], betas=(1.0, 0.0)),
    lambda: optim.Adam([p], betas=(0.0, 1.5)),
    lambda: optim.Adam([p], eps=-1e-8),
    lambda: optim.Adam([p], lr=torch.ones(2)),
    lambda: optim.Adadelta([p], rho=1.1),
    lambda: optim.Adagrad([p], lr_decay=-0.5),
    lambda: optim.NAdam([p], momentum_decay=-0.2),
    lambda: optim.RMSprop([p], momentum=-1.0),
    lambda: optim.Rprop([p], etas=(1.0, 0.5)),
    lambda: optim.ASGD([p], weight_decay=-0.5),
    lambda: optim.Adafactor([p], d=0.5),
    lambda: optim.SGD([], lr=0.1),
    lambda: optim.SGD(p, lr=0.1),
    lambda: optim.SGD([1.0], lr=0.1),
    lambda: optim.SGD(["a"], lr=0.1),
    lambda: optim.SGD([p * 2], lr=0.1),
    lambda: optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1),
    lambda: optim.SGD([{"params": {p}}], lr=0.1),
    lambda: optim.SGD([{"params": [p]}, p], lr=0.1),
    lambda: optim.SGD([{"lr": 0.1}]),
    lambda: optim.SGD([p], lr=0.1, foo=3),
    lambda: optim.SGD(),
    lambda: optim.SGD([("w", p), q], lr=0.1),
    lambda: optim.SGD([p], lr=0.1).add_param_group([q]),
    lambda: optim.SGD([p], lr=0.1).add_param_group({"params": [p]}),
    lambda: optim.Optimizer([p], {"lr": 0.1}).step(),
    lambda: optim.SGD([p], fused=True, foreach=True),
    lambda: optim.SGD(None),
]
for i, f in enumerate(cases):
    try:
        print(i, f())
    except Exception as e:
        print(i, type(e).__name__, e)
