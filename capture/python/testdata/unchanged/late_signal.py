"""A signal comes when a tensor dies in a call and nothing else holds it. Its handler has to run
in that call: in Python 3.11 a try block that begins with a loop on one line does not cover the
end of the loop."""

import _thread
import functools
import signal

import torch


class Late(Exception):
    pass


def handler(number, frame):
    raise Late


class Signals:
    __del__ = staticmethod(functools.partial(_thread.interrupt_main, signal.SIGUSR1))  # C, after which Python does not look for signals


def made():
    t = torch.ones(3, requires_grad=True).sum()
    t.signals = Signals()
    return t


def caught():
    try:
        while True: x = made().item()  # noqa: E701, F841
    except Late:
        return True


signal.signal(signal.SIGUSR1, handler)
print(caught(), [caught() for _ in range(5)])
