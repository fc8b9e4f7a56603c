"""Records what PyTorch says about wrong arguments, line by line.

    python3 tools/record/arguments.py > autograd/testdata/arguments/errors.jsonl

Each of FUNCTIONS is called with each of CALLS; what the argument checks of
PyTorch and Python say is kept, other errors and successes are not. In a call, "T" stands for a
2x3 tensor of ones, "Z" for a 0-d float tensor, "I" for a 0-d integer tensor,
and {"t": [...]} for a tuple.
"""

from __future__ import annotations

import json
import re
import warnings
from types import FunctionType
from typing import Any

import torch

FUNCTIONS = [
    "torch.add",
    "torch.exp",
    "torch.clamp",
    "torch.where",
    "torch.sum",
    "torch.softmax",
    "torch.cat",
    "torch.zeros",
    "torch.full",
    "torch.tensordot",
    "Tensor.add_",
    "Tensor.pow",
    "Tensor.view",
    "Tensor.transpose",
    "Tensor.squeeze",
    "Tensor.select",
    "Tensor.to",
    "Tensor.new_zeros",
    "Tensor.split",
    "Tensor.norm",
    "Tensor.fill_",
    "nn.gelu",
    "linalg.linalg_norm",
    "special.special_logit",
    "F.dropout",
    "F.mse_loss",
]

CALLS: list[tuple[list[Any], dict[str, Any]]] = [
    ([], {}),
    (["T"], {}),
    (["a"], {}),
    (["T", "a"], {}),
    (["T"] * 6, {}),
    (["T", None], {}),
    (["T", 1.5], {}),
    (["T", [1.5]], {}),
    (["T", [1, "a"]], {}),
    ([["T", 1]], {}),
    (["T"], {"bogus": 1}),
    (["T"], {"x": 1}),
    (["T"], {"input": 1}),
    (["T", True], {}),
    (["T"], {"out": 1}),
    (["a", "b"], {"dim": "c"}),
    (["T", 1, 2, 3, 4, 5, 6], {}),
    (["T"], {"dim": 1.5}),
    (["T", "T", "a"], {}),
    (["T"], {"keepdim": 1, "bogus": 2}),
    (["T", 2], {"dtype": "a", "device": 1.5}),
    (["a", {"t": [1, "T"]}], {}),
    (["T", "I", {"t": [1, 2.5]}], {}),
    ([1.5, "T"], {}),
]

CHECKED = re.compile(
    r"invalid combination|must be|missing \d|takes |unexpected keyword|multiple values|expected Tensor as|Name |unpack"
)


def build(v: Any) -> Any:
    """Makes an argument from its recorded form."""
    match v:
        case "T":
            return torch.ones(2, 3)
        case "Z":
            return torch.tensor(1.0)
        case "I":
            return torch.tensor(1)
        case list():
            return [build(x) for x in v]
        case dict():
            return tuple(build(x) for x in v["t"])
    return v


def main() -> None:
    warnings.simplefilter("ignore")
    places = {
        "torch": torch,
        "Tensor": torch.Tensor,
        "F": torch.nn.functional,
        "nn": torch._C._nn,
        "linalg": torch._C._linalg,
        "special": torch._C._special,
    }
    for fn in FUNCTIONS:
        place, name = fn.split(".")
        f = getattr(places[place], name)
        for args, kwargs in CALLS:
            given = ["T", *args] if place == "Tensor" else args
            try:
                f(*build(given), **{k: build(v) for k, v in kwargs.items()})
            except (
                AttributeError,
                IndexError,
                TypeError,
                ValueError,
                RuntimeError,
            ) as e:
                # Functions written in Python call others, whose errors are not
                # compared. Suggestions depend on the version of Python.
                text = str(e).partition(". Did you mean")[0]
                own = not isinstance(f, FunctionType) or re.match(
                    re.escape(f.__qualname__) + r"\(\) [^\"]*$", text
                )
                if own and CHECKED.search(text):
                    print(
                        json.dumps(
                            {"fn": fn, "args": args, "kwargs": kwargs, "text": text}
                        )
                    )


if __name__ == "__main__":
    main()
