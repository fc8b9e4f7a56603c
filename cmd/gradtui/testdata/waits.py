"""Records operations until a file exists, whose name is its argument."""

import os
import sys

import torch

w = torch.ones(2, requires_grad=True)
print("printed by the program")
while not os.path.exists(sys.argv[1]):
    w.grad = None
    (w * w).sum().backward()
