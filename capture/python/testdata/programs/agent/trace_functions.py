import sys

import torch

lines = []


def trace(frame, event, argument):
    if frame.f_code.co_name == "work":
        lines.append((event, frame.f_lineno))
        return trace


def work(x):
    y = x * 2
    for _ in range(2):
        y = y + x
    return y


x = torch.ones(2)
work(x)
sys.settrace(trace)
work(x)
sys.settrace(None)
print(lines)
calls = []
sys.setprofile(lambda frame, event, argument: calls.append((event, frame.f_code.co_name)))
work(x)
sys.setprofile(None)
print([c for c in calls if c[1] == "work" and c[0] in ("call", "return")])
frame = sys._getframe()
print(frame.f_lineno, frame.f_code.co_name, frame.f_back is None or frame.f_back.f_code.co_name == "run")
