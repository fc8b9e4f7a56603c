"""Prints how long small operations take: a name and microseconds on each line."""

import time

import torch

a = torch.ones(4)
w = torch.ones(4, requires_grad=True)
layer = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(layer.parameters(), lr=1e-3)


def forward_and_backward():
    w.grad = None
    (w * a).sum().backward()


def training_step():
    optimizer.zero_grad()
    layer(a).sum().backward()
    optimizer.step()


CASES = [
    ("an attribute: a.requires_grad", 1, lambda: a.requires_grad),
    ("a + a", 1, lambda: a + a),
    ("a.add_(0.5)", 1, lambda: a.add_(0.0)),
    ("w * a, with grad_fn", 1, lambda: w * a),
    ("torch.nn.functional.relu(w)", 1, lambda: torch.nn.functional.relu(w)),
    ("a[1:3]", 1, lambda: a[1:3]),
    ("a[0].item()", 2, lambda: a[0].item()),
    ("nn.Linear(4, 4)(a)", 1, lambda: layer(a)),
    ("mul, sum, backward: an op", 3, forward_and_backward),
    ("a step of SGD with nn.Linear", 1, training_step),
]

for name, ops, case in CASES:
    loops = 200
    for _ in range(loops):
        case()
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(loops):
            case()
        a.requires_grad  # noqa: B018  (waits until all of that is done)
        best = min(best, time.perf_counter() - start)
    print("%s\t%.3f" % (name, best / loops / ops * 1e6), flush=True)
