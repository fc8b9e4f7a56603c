"""Rank 1 ends as its argument says, while rank 0 goes on."""

import os
import signal
import sys
import time

import torch

rank = os.environ["RANK"]
x = torch.ones(2, requires_grad=True)
(x * x).sum().backward()
time.sleep(0.1)  # longer than records wait
y = x.exp()
if rank == "1":
    if sys.argv[1] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError("rank 1 gives up")
y.sum().backward()
