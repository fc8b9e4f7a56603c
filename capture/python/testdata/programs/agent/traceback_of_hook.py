import traceback

import torch


def hook(grad):
    print("hook", grad)
    raise ZeroDivisionError("by the hook")


x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(hook)
try:
    y.sum().backward()
except ZeroDivisionError as e:
    own = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == __file__ or f.filename.endswith("traceback_of_hook.py")]
    print([(f.name, f.lineno) for f in own])
    print(e)
y.sum().backward()
