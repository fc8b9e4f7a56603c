"""PyTorch's side of the comparison: the programs of programs.go, by the same names.

Reads lines "name seconds" and answers each with the microseconds per operator.
"""

import sys
import time
from collections.abc import Callable

import torch

torch.set_num_threads(1)
Run = Callable[[], None]


def finish(loss: torch.Tensor, *params: torch.Tensor) -> None:
    loss.backward()
    for p in params:
        p.grad = None


def multiply() -> Run:
    x = torch.rand(4, requires_grad=True)

    def run() -> None:
        y = x
        for _ in range(50):
            y = y * 1.01
        finish(y.sum(), x)

    return run


def multiply_add() -> Run:
    x, w = torch.rand(4, requires_grad=True), torch.rand(4)

    def run() -> None:
        y = x
        for _ in range(25):
            y = y * w + x
        finish(y.sum(), x)

    return run


def scalars() -> Run:
    s = torch.tensor(1.5, requires_grad=True)

    def run() -> None:
        y = s
        for _ in range(20):
            y = (y * 0.5 + s).exp().log()
        finish(y, s)

    return run


def layers() -> Run:
    x = torch.rand(4, 8)
    params: list[torch.Tensor] = []
    for _ in range(10):
        params += [torch.rand(8, 8, requires_grad=True), torch.rand(8, requires_grad=True)]

    def run() -> None:
        y = x
        for i in range(0, len(params), 2):
            y = (y @ params[i] + params[i + 1]).tanh()
        finish(y.mean(), *params)

    return run


def in_place() -> Run:
    x = torch.rand(4, requires_grad=True)

    def run() -> None:
        y = x * 1
        for _ in range(20):
            y.add_(x)
            y.mul_(0.5)
        finish(y.sum(), x)

    return run


def matmul(n: int) -> Callable[[], Run]:
    def setup() -> Run:
        a, b = torch.rand(n, n, requires_grad=True), torch.rand(n, n, requires_grad=True)
        return lambda: finish((a @ b).sum(), a, b)

    return setup


def elementwise() -> Run:
    x, w = torch.rand(1000, 1000, requires_grad=True), torch.rand(1000, 1000)
    return lambda: finish((x * w + x).tanh().sum(), x)


PROGRAMS: dict[str, tuple[int, Callable[[], Run]]] = {
    "multiply by a number": (51, multiply),
    "multiply and add": (51, multiply_add),
    "scalar functions": (80, scalars),
    "10 layers of tanh(x @ W + b), 8 wide": (31, layers),
    "in-place updates of a buffer": (41, in_place),
    "1,000,000 elements: multiply, add, tanh, sum": (4, elementwise),
} | {f"matmul {n}": (2, matmul(n)) for n in (64, 128, 256, 512, 1024)}


def measure(run: Run, ops: int, seconds: float) -> float:
    run()
    n, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        run()
        n += 1
    return (time.perf_counter() - start) * 1e6 / (n * ops)


def main() -> None:
    print(torch.__version__, flush=True)
    ready: dict[str, Run] = {}
    for line in sys.stdin:
        name, seconds = line.strip().rsplit(" ", 1)
        ops, setup = PROGRAMS[name]
        if name not in ready:
            ready[name] = setup()
        print(measure(ready[name], ops, float(seconds)), flush=True)


main()
