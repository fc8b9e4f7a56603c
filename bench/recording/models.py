"""Runs small training loops as they are and recorded, turn by turn, and prints what
each turn took: a line of JSON for each.

    models.py SITE NAME...

The other side answers the line {"record": how} on standard input with the folder where
it takes records, and {"done": n}, n being the number of steps, when it has everything.
"""

import json
import os
import sys
import time
import warnings

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

torch.set_num_threads(1)
warnings.simplefilter("ignore")
site, names = sys.argv[1], sys.argv[2:]
sys.path.append(site)  # at the end: its torch is not the one that is measured

from gradtui_agent.eager import start as eager


def tiny_operations():
    w, x = torch.randn(4, requires_grad=True), torch.randn(4)

    def step():
        y = w
        for _ in range(10):
            y = y * x
            y = y + 1
        y.sum().backward()
        w.grad = None

    return step, 200


def mlp():
    net = nn.Sequential(*[layer for _ in range(40) for layer in (nn.Linear(64, 64), nn.ReLU())])
    return training(net, torch.optim.SGD(net.parameters(), lr=0.01), torch.randn(32, 64)), 10


def transformer():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(128, 4, 256, batch_first=True), 4)
    return training(net, torch.optim.AdamW(net.parameters(), lr=1e-3), torch.randn(8, 64, 128)), 3


def cnn():
    net = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10),
    )
    return training(net, torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9), torch.randn(16, 3, 32, 32)), 6


def training(net, optimizer, x):
    def step():
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()

    return step


class NoOp(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


class Recorded:
    def __init__(self, how):
        self.how = how

    def __enter__(self):
        print(json.dumps({"record": self.how}), flush=True)
        eager.begin(sys.stdin.readline().rstrip("\n"))

    def __exit__(self, *_):
        eager.stop()


class Plain:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


# The others take turns with the first. The first of a recording's steps describe what
# was never seen before, so they are not measured, nor are they elsewhere.
WAYS = (
    ("plain", Plain),
    ("recorded", lambda: Recorded("freely")),
    ("breakpoint", lambda: Recorded("breakpoint")),
    ("dispatch", NoOp),
    ("anomaly", lambda: torch.autograd.set_detect_anomaly(True)),
)
WARM_UP = 110  # steps: the first hundred backward passes of a recording are watched more closely


def measure(name, way, region, step, steps, warm):
    with region():
        for _ in range(warm):
            step()
        start, cpu = time.perf_counter(), time.process_time()
        for _ in range(steps):
            step()
        end, spent = time.perf_counter(), time.process_time()
    line = {"model": name, "way": way, "cpu": (spent - cpu) / steps, "elapsed": (end - start) / steps, "steps": steps + warm}
    print(json.dumps(line), flush=True)


for name in names:
    torch.manual_seed(0)
    step, steps = globals()[name]()
    for way, region in WAYS:
        few = max(steps // 10, 1) if way == "anomaly" else steps
        measure(name, way, region, step, few, WARM_UP if "record" in way or way == "breakpoint" else 2)
        if way != "plain":
            measure(name, "plain", Plain, step, steps, 1)
