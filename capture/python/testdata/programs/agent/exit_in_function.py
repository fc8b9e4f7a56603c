import atexit

import torch


def last(x):
    print("last", x * 2)


def stop(x):
    if x.sum() > 2:
        raise SystemExit(4)


x = torch.ones(3)
atexit.register(last, x)
for i in range(5):
    x = x + i
    print(i, x)
    stop(x)
