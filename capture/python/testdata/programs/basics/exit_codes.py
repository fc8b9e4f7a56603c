import atexit
import sys

import torch

x = torch.tensor([2.0], requires_grad=True)
(x**2).backward()
print(x.grad)
print("to stderr", file=sys.stderr)
atexit.register(print, "at exit")
sys.exit(3)
