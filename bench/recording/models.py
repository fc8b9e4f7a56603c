"""Runs small training loops as they are and recorded, in turns, and prints what a step
took in each slice of them: a line of JSON for each.

    models.py PACKAGE NAME...

The other side answers the line {"record": how} on standard input with the folder where
it takes records.
"""

import contextlib
import itertools
import json
import sys
import time
import warnings
import weakref

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

torch.set_num_threads(1)
warnings.simplefilter("ignore")
package, names = sys.argv[1], sys.argv[2:]
sys.path.append(package)

from gradtui._recorder import backward  # noqa: E402
from gradtui._recorder import start as eager  # noqa: E402

backward.watch = 2  # not a hundred passes, which would have to be waited for


def tiny_operations():
    w, x = torch.randn(4, requires_grad=True), torch.randn(4)

    def step():
        y = w
        for _ in range(10):
            y = y * x
            y = y + 1
        y.sum().backward()
        w.grad = None

    return step


def mlp():
    net = nn.Sequential(*[layer for _ in range(40) for layer in (nn.Linear(64, 64), nn.ReLU())])
    return training(net, torch.optim.SGD(net.parameters(), lr=0.01), torch.randn(32, 64))


def transformer():
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(128, 4, 256, batch_first=True), 4)
    return training(net, torch.optim.AdamW(net.parameters(), lr=1e-3), torch.randn(8, 64, 128))


def cnn():
    net = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10),
    )
    return training(net, torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9), torch.randn(16, 3, 32, 32))


def training(net, optimizer, x):
    def step():
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()

    return step


class Ref(weakref.ref):
    __slots__ = ("number",)


class Least:
    """The least that a recorder in Python has to do: it notes who called which function with
    which tensors, which one came out, and later that this is gone. It does not look at
    nodes, versions or layouts, and sends nothing."""

    names = ("__add__", "__mul__", "sum")

    def __enter__(self):
        self.originals = [getattr(torch.Tensor, name) for name in self.names]
        for name, original in zip(self.names, self.originals):
            setattr(torch.Tensor, name, self.noting(original))

    def __exit__(self, *_):
        for name, original in zip(self.names, self.originals):
            setattr(torch.Tensor, name, original)

    @staticmethod
    def noting(original):
        refs, notes, places, number, frame_of = {}, [], {}, itertools.count(1).__next__, sys._getframe

        def call(a, *others):
            frame = frame_of(1)
            place = places.get((frame.f_code, frame.f_lasti))
            given = refs.get(id(a)), *[refs.get(id(b)) for b in others]
            out = original(a, *others)
            ref = refs[id(out)] = Ref(out, notes.append)
            ref.number = number()
            notes.append((place, given, ref.number, time.monotonic()))
            if len(notes) > 4000:
                notes.clear()
                refs.clear()
            return out

        return call


class NoOp(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


def profiler():
    return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True, with_stack=True)


class Recording:
    def __init__(self, how):
        self.how = how

    def __enter__(self):
        print(json.dumps({"record": self.how}), flush=True)
        eager.begin(sys.stdin.readline().rstrip("\n"))

    def __exit__(self, *_):
        eager.stop()


# What the others are compared with is measured after each of them.
WAYS = (
    ("recorded", lambda: Recording("recorded")),
    ("debugger", lambda: Recording("debugger")),
    ("breakpoints", lambda: Recording("breakpoints")),
    ("least", Least),
    ("profiler", profiler),
    ("dispatch", NoOp),
    ("anomaly", lambda: torch.autograd.set_detect_anomaly(True)),
)


SLICE = 0.06  # seconds of which each has a mean: what is recorded is sent each 0.02


def run(step, seconds, least):
    """Steps for some time, and at least so many: seconds of the processor's time and of ours
    for each."""
    start, cpu = time.perf_counter(), time.process_time()
    for n in itertools.count(1):
        step()
        end = time.perf_counter()
        if end - start >= seconds and n >= least:
            return (time.process_time() - cpu) / n, (end - start) / n


def measure(name, way, region, step, slices):
    # The first steps of a recording describe what was never seen before, and its first
    # backward passes are watched more closely.
    recorded = isinstance(region, Recording)
    with region:
        run(step, 0.5 if recorded else 0.05, 25 if recorded else 1)
        for _ in range(slices):
            spent, elapsed = run(step, SLICE, 1)
            print(json.dumps({"model": name, "way": way, "cpu": spent, "elapsed": elapsed}), flush=True)


for name in names:
    torch.manual_seed(0)
    step = globals()[name]()
    for way, region in WAYS:
        measure(name, way, region(), step, 12)
        measure(name, "plain", contextlib.nullcontext(), step, 6)
