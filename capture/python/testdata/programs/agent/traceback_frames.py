import sys
import traceback

import torch


def inner(a, b):
    return a + b


def outer(f, *args):
    return f(*args)


def report(error):
    for frame in traceback.extract_tb(error.__traceback__):
        print(" ", frame.name, frame.lineno, frame.line)
    print(type(error).__name__, error)


for function, arguments in (
    (inner, (torch.ones(2), torch.ones(3))),
    (lambda a: a.reshape(4, 4), (torch.ones(3),)),
    (lambda a: a[5], (torch.ones(3),)),
    (torch.Tensor.item, (torch.ones(3),)),
    (torch.add, (torch.ones(2), torch.ones(3))),
):
    try:
        outer(function, *arguments)
    except Exception as e:
        report(e)

try:
    [inner(a, torch.ones(2)) for a in (torch.ones(2), torch.ones(3))]
except RuntimeError:
    kind, error, tb = sys.exc_info()
    print(kind.__name__, tb.tb_lineno, tb.tb_frame.f_code.co_name)
print(traceback.format_exception_only(type(error), error))
