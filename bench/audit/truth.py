"""Runs programs again with moved leaves, and says what becomes of their loss.

A line of standard input is a JSON object: the file of a program, and the call stack at which its step begins, as the lines
of the program from the outermost one. The answer is a JSON list: the loss twice with leaves where they are, then with
leaves moved by STEP along their direction and against it. An entry is null if no backward pass came.

Each run is a process of its own that ends with the first backward pass after the beginning of the step. The direction of a
leaf depends on its elements w only, so that the audit takes the same one: cos(7 w[i] + i).
"""

from __future__ import annotations

import gc
import json
import os
import sys
from types import FrameType
from typing import Any

import torch

STEP = 1e-6  # of central differences, in double precision


def move(factor: float) -> None:
    seen = set()
    leaves = [t for t in gc.get_objects() if isinstance(t, torch.Tensor) and t.is_leaf and t.requires_grad]
    with torch.no_grad():
        for t in leaves:
            if t.data_ptr() not in seen:
                seen.add(t.data_ptr())
                flat = t.data.reshape(-1)
                direction = torch.cos(7 * flat + torch.arange(flat.numel(), dtype=flat.dtype))
                t.data.copy_((flat + factor * direction).reshape(t.shape))


def run(file: str, stack: list[int], factor: float, answer: int) -> None:
    """Runs a program; writes its loss to a file descriptor, and ends the process."""
    moved = False
    backward = torch.autograd.backward

    def lines(frame: FrameType | None) -> list[int]:
        found: list[int] = []
        while frame is not None:
            if frame.f_code.co_filename == file:
                found.append(frame.f_lineno)
            frame = frame.f_back
        return found[::-1]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal moved
        if frame.f_code.co_filename != file:
            return None
        if event == "line" and frame.f_lineno == stack[-1] and lines(frame) == stack:
            moved = True
            sys.settrace(None)
            while frame is not None:  # or it goes on in the frames that are traced already
                frame.f_trace = None
                frame = frame.f_back  # type: ignore[assignment]
            move(factor)
            return None
        return trace

    def ended(tensors: Any, grad_tensors: Any = None, *others: Any, **named: Any) -> None:
        if not moved:
            backward(tensors, grad_tensors, *others, **named)
            return
        roots = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
        grads = [grad_tensors] if grad_tensors is None or isinstance(grad_tensors, torch.Tensor) else list(grad_tensors)
        loss = sum((t.detach() if g is None else t.detach() * g).sum().item() for t, g in zip(roots, grads))
        os.write(answer, repr(loss).encode())
        os._exit(0)

    torch.autograd.backward = ended
    with open(file) as source:
        code = compile(source.read(), file, "exec")
    sys.argv = [file]
    sys.settrace(trace)
    exec(code, {"__name__": "__main__", "__file__": file})


def loss(file: str, stack: list[int], factor: float) -> float | None:
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nothing, descriptor)
            run(file, stack, factor, into)
        finally:
            os._exit(1)
    os.close(into)
    with open(out) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return float(text) if text else None


def main() -> None:
    torch.set_num_threads(1)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps([loss(asked["file"], asked["stack"], f) for f in (0, 0, STEP, -STEP)]), flush=True)


main()
