"""Records what the optimizers of PyTorch 2.6 do.

    python3 tools/record/optimizers.py > autograd/optim/testdata/optimizers.json

Parameters start at fixed values and are given fixed gradients, so that only the
optimizer computes. Floats are written in hexadecimal: they are compared to the
last bit.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import torch

STEPS = 20
RECORDED = (1, 2, 3, STEPS)

SHAPES = ((3,), (2, 2), ())
START = ([1.0, -2.0, 0.30000001], [[0.5, -0.25], [1e-3, 40.0]], -0.7)

# name, class, keywords of the constructor, settings of the groups
CASES: list[tuple[str, str, dict[str, Any], list[dict[str, Any]]]] = [
    ("SGD", "SGD", {}, [{}]),
    ("SGD lr", "SGD", {"lr": 0.1}, [{}]),
    ("SGD whole numbers", "SGD", {"lr": 1, "momentum": 0}, [{}]),
    ("SGD momentum", "SGD", {"lr": 0.1, "momentum": 0.9}, [{}]),
    ("SGD dampening", "SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3}, [{}]),
    ("SGD weight decay", "SGD", {"lr": 0.1, "weight_decay": 0.01}, [{}]),
    ("SGD nesterov", "SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}, [{}]),
    ("SGD maximize", "SGD", {"lr": 0.1, "maximize": True}, [{}]),
    (
        "SGD everything",
        "SGD",
        {"lr": 0.07, "momentum": 0.8, "weight_decay": 0.02, "nesterov": True, "maximize": True},
        [{}],
    ),
    ("SGD groups", "SGD", {"lr": 0.1}, [{"momentum": 0.5}, {"lr": 0.3, "note": "fast"}, {"weight_decay": 1}]),
    ("Adam", "Adam", {}, [{}]),
    ("Adam lr", "Adam", {"lr": 0.1}, [{}]),
    ("Adam betas", "Adam", {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-4}, [{}]),
    ("Adam zero betas", "Adam", {"lr": 0.05, "betas": (0.0, 0.0)}, [{}]),
    ("Adam weight decay", "Adam", {"lr": 0.1, "weight_decay": 0.05}, [{}]),
    ("Adam amsgrad", "Adam", {"lr": 0.1, "amsgrad": True}, [{}]),
    ("Adam maximize", "Adam", {"lr": 0.1, "maximize": True, "weight_decay": 0.05}, [{}]),
    ("Adam groups", "Adam", {"lr": 0.1}, [{}, {"lr": 0.3, "amsgrad": True}, {"betas": (0.5, 0.7)}]),
    ("AdamW", "AdamW", {}, [{}]),
    ("AdamW lr", "AdamW", {"lr": 0.1}, [{}]),
    ("AdamW weight decay", "AdamW", {"lr": 0.1, "weight_decay": 0.3}, [{}]),
    ("AdamW no weight decay", "AdamW", {"lr": 0.1, "weight_decay": 0}, [{}]),
    ("AdamW amsgrad", "AdamW", {"lr": 0.1, "amsgrad": True, "maximize": True}, [{}]),
]

# class, keywords, which fail
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": -1.0}),
    ("SGD", {"lr": -1}),
    ("SGD", {"momentum": -0.5}),
    ("SGD", {"weight_decay": -1e-9}),
    ("SGD", {"nesterov": True}),
    ("SGD", {"nesterov": True, "momentum": 0.9, "dampening": 0.1}),
    ("SGD", {"betas": (0.9, 0.9)}),
    ("Adam", {"lr": -0.1}),
    ("Adam", {"lr": float("nan")}),
    ("Adam", {"eps": -1.0}),
    ("Adam", {"betas": (1.0, 0.999)}),
    ("Adam", {"betas": (0.9, -0.1)}),
    ("Adam", {"weight_decay": -1}),
    ("AdamW", {"lr": -0.1}),
    ("AdamW", {"betas": (0.9, 1.0)}),
    ("AdamW", {"momentum": 0.9}),
]


def hexed(values: torch.Tensor) -> list[str]:
    return [float(v).hex() for v in values.detach().reshape(-1).tolist()]


def gradients() -> list[list[list[float] | None]]:
    """A gradient, or none, for each step and parameter."""
    rng = random.Random(4)
    steps: list[list[list[float] | None]] = []
    for step in range(STEPS):
        grads: list[list[float] | None] = []
        for i, shape in enumerate(SHAPES):
            count = torch.Size(shape).numel()
            values = [rng.uniform(-3, 3) * 10.0 ** rng.choice((-6, -2, 0, 0, 0, 1)) for _ in range(count)]
            grads.append(None if step == 1 and i == 0 or step == 5 and i == 2 else values)
        steps.append(grads)
    steps[2][1] = [0.0] * 4
    return steps


def state_of(optimizer: torch.optim.Optimizer) -> list[Any]:
    return [
        {
            "param": index,
            "values": [
                {"name": name, "dtype": str(t.dtype).removeprefix("torch."), "version": t._version, "data": hexed(t)}
                for name, t in values.items()
            ],
        }
        for index, values in optimizer.state_dict()["state"].items()
    ]


def plain(settings: dict[str, Any]) -> list[list[Any]]:
    return [[name, list(v) if isinstance(v, tuple) else v] for name, v in settings.items() if name != "params"]


def run(name: str, cls: str, keywords: dict[str, Any], groups: list[dict[str, Any]], dtype: torch.dtype) -> Any:
    params = [torch.tensor(v, dtype=dtype, requires_grad=True) for v in START]
    share = len(groups) > 1
    filled = [{"params": [params[i]] if share else params, **g} for i, g in enumerate(groups)]
    optimizer = getattr(torch.optim, cls)(filled, **keywords)
    record: dict[str, Any] = {
        "name": name,
        "class": cls,
        "dtype": str(dtype).removeprefix("torch."),
        "options": plain(keywords),
        "groups": [plain(g) for g in groups],
        "repr": repr(optimizer),
        "settings": [plain(g) for g in optimizer.state_dict()["param_groups"]],
        "steps": [],
    }
    for step, grads in enumerate(gradients(), 1):
        for p, g in zip(params, grads):
            p.grad = None if g is None else torch.tensor(g, dtype=dtype).reshape(p.shape)
        optimizer.step()
        if step in RECORDED:
            record["steps"].append(
                {
                    "step": step,
                    "params": [hexed(p) for p in params],
                    "versions": [p._version for p in params],
                    "grad_versions": [None if p.grad is None else p.grad._version for p in params],
                    "state": state_of(optimizer),
                }
            )
    return record


def refusal(cls: str, keywords: dict[str, Any]) -> Any:
    try:
        getattr(torch.optim, cls)([torch.ones(1, requires_grad=True)], **keywords)
    except Exception as e:
        return {"class": cls, "options": plain(keywords), "error": f"{type(e).__name__}: {e}"}
    raise AssertionError(f"{cls} {keywords} is accepted")


def main() -> None:
    document = {
        "start": [hexed(torch.tensor(v, dtype=torch.float64)) for v in START],
        "shapes": [list(s) for s in SHAPES],
        "gradients": [[None if g is None else [v.hex() for v in g] for g in grads] for grads in gradients()],
        "cases": [run(*case, dtype) for case in CASES for dtype in (torch.float32, torch.float64)],
        "refused": [refusal(*r) for r in REFUSED],
    }
    text = json.dumps(document, allow_nan=True).replace("NaN", '"nan"')
    sys.stdout.write(text.replace('{"name"', '\n{"name"').replace('{"class"', '\n{"class"') + "\n")


if __name__ == "__main__":
    main()
