"""Records in which order the torch at hand runs the nodes of random graphs.

usage: tools/record/backward_order.py > autograd/testdata/order.json

A graph is {"leaves": n, "nodes": [[inputs]], "roots": [...], "inputs": [...], "order": [...]}.
Tensors are numbered: first the leaves, then the results of the nodes, each of which adds up its
inputs, written as earlier tensors. "inputs" are the tensors of backward(inputs=...), if there are any.
The order lists a node when its backward runs and a leaf when its gradient arrives.
"""

from __future__ import annotations

import json
import random
from typing import Any

import torch
from torch.autograd import Function

GRAPHS = 400

log: list[int] = []


class Add(Function):
    """Adds its arguments up; its backward notes the number that it was given."""

    @staticmethod
    def forward(ctx: Any, number: int, *xs: torch.Tensor) -> torch.Tensor:
        ctx.number, ctx.count = number, len(xs)
        return sum(x.clone() for x in xs)

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        log.append(ctx.number)
        return (None,) + (g,) * ctx.count


def shape(seed: int) -> dict[str, Any]:
    """A random graph: some wide, some deep, some with shared leaves and repeated inputs."""
    r = random.Random(seed)
    leaves, nodes = r.randint(1, 7), r.randint(1, 16)
    graph: dict[str, Any] = {"leaves": leaves, "nodes": []}
    for n in range(leaves, leaves + nodes):
        near = range(max(0, n - 4), n)
        graph["nodes"].append(
            [
                r.randrange(n) if r.random() < 0.5 else r.choice(near)
                for _ in range(r.randint(1, 5))
            ]
        )
    results = range(leaves, leaves + nodes)
    graph["roots"] = r.sample(results, min(nodes, r.choice([1, 1, 2, 3])))
    if r.random() < 0.1:
        graph["roots"].append(r.randrange(leaves + nodes))  # a leaf, or a root twice
    if r.random() < 0.25:
        graph["inputs"] = r.sample(range(leaves), r.randint(1, leaves))
        if r.random() < 0.5:
            graph["inputs"].append(r.choice(results))
    return graph


def run(graph: dict[str, Any]) -> list[int]:
    log.clear()
    tensors = []
    for n in range(graph["leaves"]):
        x = torch.ones(1, requires_grad=True)
        x.register_hook(lambda g, n=n: log.append(n))
        tensors.append(x)
    for inputs in graph["nodes"]:
        tensors.append(Add.apply(len(tensors), *(tensors[i] for i in inputs)))
    inputs = [tensors[i] for i in graph["inputs"]] if "inputs" in graph else None
    torch.autograd.backward([tensors[i] for i in graph["roots"]], inputs=inputs)
    return list(log)


def main() -> None:
    graphs = [shape(seed) for seed in range(GRAPHS)]
    lines = [json.dumps(g | {"order": run(g)}) for g in graphs]
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
