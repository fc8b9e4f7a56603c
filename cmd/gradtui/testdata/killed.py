"""Trains for five epochs, then kills itself, or waits until it is killed."""

import os
import signal
import sys

import torch

w = torch.ones(2, requires_grad=True)
for epoch in range(5):
    w.grad = None
    (w * w).sum().backward()
    print(f"epoch {epoch} w.grad = {w.grad.tolist()}", flush=True)
print("trained", flush=True)
if "--kill" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
sys.stdin.read()
