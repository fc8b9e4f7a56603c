import os
import signal

import torch

seen = []


def handler(number, frame):
    seen.append((signal.Signals(number).name, frame.f_code.co_name, torch.ones(2).sum().item()))


signal.signal(signal.SIGUSR1, handler)


def work(x):
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGUSR1)
        x = x * 2
    return x


print(work(torch.ones(2)), seen)
signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError("too slow")))
signal.setitimer(signal.ITIMER_REAL, 0.05)
x = torch.ones(3)
try:
    while True:
        x = x * 1.0
except TimeoutError as e:
    print(repr(e), x)
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt as e:
    print(repr(e), x + 1)
