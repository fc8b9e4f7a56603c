# Calls of operators that make further tensors on their way, and how many tensors the program has
# after each: Python says so itself.
import gc
import json
import os

import torch
from torch import nn
from torch.nn import functional as F

tensors = (torch.Tensor, nn.Parameter)


def living():
    """How many tensors there are, without the new one, whose size marks the place on the tape."""
    gc.collect()
    n = sum(type(o) in tensors for o in gc.get_objects())
    torch.zeros(97)
    return n


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = F.linear(x, torch.eye(4))
        ctx.save_for_backward(x)
        return y * y

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


torch.manual_seed(0)
x, mask = torch.randn(2, 3, 4), torch.ones(2, 3, dtype=torch.bool)
leaf = torch.randn(2, 4, requires_grad=True)
modules = [
    nn.GRUCell(4, 4), nn.LSTM(4, 4, bidirectional=True), nn.MultiheadAttention(4, 2), nn.TransformerEncoderLayer(4, 2, 8),
    nn.Linear(4, 4), nn.Bilinear(4, 4, 2), nn.BatchNorm1d(4), nn.LayerNorm(4), nn.Conv1d(3, 3, 2), nn.Embedding(5, 4),
]  # fmt: skip
cell, lstm, attention, encoder, linear, bilinear, batch, layer, conv, embedding = modules
calls = {
    "GRUCell": lambda: cell(leaf, leaf * 2),
    "LSTM": lambda: lstm(x),
    "attention": lambda: attention(x, x, x, need_weights=False),
    "encoder": lambda: encoder(x),
    "linear": lambda: linear(x).relu(),
    "bilinear": lambda: bilinear(leaf, leaf),
    "batch_norm": lambda: batch(leaf),
    "layer_norm": lambda: layer(x),
    "conv": lambda: conv(x),
    "embedding": lambda: embedding(torch.tensor([1, 2])),
    "in-place": lambda: leaf.exp().mul_(leaf.sin()).mul_(2).pow_(2),
    "cross_entropy": lambda: F.cross_entropy(leaf, torch.tensor([1, 2])),
    "binary": lambda: F.binary_cross_entropy_with_logits(leaf, torch.ones(2, 4)),
    "einsum": lambda: torch.einsum("ij,kj->ik", leaf, leaf),
    "chunk": lambda: leaf.reshape(4, 2).t().chunk(2),
    "views": lambda: leaf.flatten().unflatten(0, (2, 4)).movedim(0, 1),
    "index": lambda: leaf[leaf > 0],
    "written": lambda: (leaf * 1).masked_fill_(leaf > 0, 1.0)[:, 1:].mul_(2),
    "norm": lambda: F.normalize(leaf) + F.cosine_similarity(leaf, leaf)[:, None],
    "var": lambda: (leaf.std(1), leaf.var(), leaf.logsumexp(0)),
    "where": lambda: torch.where(leaf > 0, leaf, torch.zeros(())),
    "stack": lambda: torch.vstack([leaf, leaf]).cumsum(0).tile(2),
    "numbers": lambda: 1 - 2 / (leaf**2 + 3).clamp(min=1),
    "function": lambda: Square.apply(leaf),
    "no_grad": torch.no_grad()(lambda: encoder(x)),
    "half": lambda: linear(x).to(torch.float64),
}
marks = [{"After": "nothing", "Dropped": True, "Tensors": living()}]
for name, call in calls.items():
    result = call()
    marks.append({"After": name, "Dropped": False, "Tensors": living()})
    del result
    marks.append({"After": name, "Dropped": True, "Tensors": living()})
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "living.json"), "w") as file:
    json.dump(marks, file)
