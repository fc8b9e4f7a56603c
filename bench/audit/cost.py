"""Steps of the models of bench/recording, for the cost of the audit.

    python cost.py MODEL        one step, as a program to audit
    python cost.py MODEL time   the seconds of a step, and of gradcheck of the model along one direction, as JSON
"""

from __future__ import annotations

import ast
import json
import os
import sys
import time

import torch
from torch import nn  # the models use it

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "recording", "models.py")


def models() -> dict[str, object]:
    """Returns the functions that make models, without the recorder that the rest of the file measures."""
    with open(MODELS) as source:
        tree = ast.parse(source.read())
    wanted = ("mlp", "transformer", "cnn")
    tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in wanted]
    names: dict[str, object] = {"torch": torch, "nn": nn, "training": lambda net, optimizer, x: (net, optimizer, x)}
    exec(compile(tree, MODELS, "exec"), names)
    return names


torch.manual_seed(0)
torch.set_num_threads(1)
net, optimizer, x = models()[sys.argv[1]]()  # type: ignore[operator]
for module in net.modules():
    if isinstance(module, nn.Dropout):
        module.p = 0.0
    if isinstance(module, nn.MultiheadAttention):
        module.dropout = 0.0


def step() -> None:
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()


def seconds(f, times: int) -> float:
    """Returns the least time of several calls."""
    least = float("inf")
    for _ in range(times):
        begun = time.perf_counter()
        f()
        least = min(least, time.perf_counter() - begun)
    return least


if sys.argv[2:] == ["time"]:
    took = seconds(step, 5)
    net, x = net.double(), x.double()
    leaves = tuple(net.parameters())
    check = lambda: torch.autograd.gradcheck(lambda *_: net(x).pow(2).mean(), leaves, fast_mode=True, raise_exception=False)  # noqa: E731
    print(json.dumps([took, seconds(check, 1)]))
else:
    step()
