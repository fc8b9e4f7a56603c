"""Records what the layers of torch.nn do in PyTorch 2.6.

    python3 tools/record/layers.py > autograd/nn/testdata/layers.jsonl

Each layer is made after manual_seed(0), printed, called on inputs that are
recorded with it, and run backward with a gradient of fixed numbers. Elements of
float tensors are recorded by their bits. oneDNN is switched off: with it PyTorch
computes convolutions and LSTMs in ways, and with nodes, of their own. One thread
computes: normalisations sum in parts, one for each thread.
"""

from __future__ import annotations

import collections
import json
import re
import struct
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

Spec = tuple[Any, ...]


def x(*shape: int) -> Spec:
    """A normal input that requires grad."""
    return ("randn", shape, True)


def data(*shape: int) -> Spec:
    """A normal input."""
    return ("randn", shape, False)


def prob(*shape: int) -> Spec:
    """Numbers in [0, 1) that require grad."""
    return ("rand", shape, True)


def share(*shape: int) -> Spec:
    """Numbers in [0, 1)."""
    return ("rand", shape, False)


def logp(*shape: int) -> Spec:
    """Logarithms of probabilities that require grad."""
    return ("log", shape, True)


def index(*values: Any) -> Spec:
    """A tensor of whole numbers."""
    return ("int", list(values), False)


def floats(*values: Any) -> Spec:
    """A tensor of given numbers."""
    return ("float", list(values), False)


IMAGE = (2, 4, 5, 5)
WEIGHT = torch.tensor([0.5, 1.0, 2.0])

# class, arguments, keywords, inputs of the forward pass
LAYERS: list[tuple[str, list[Any], dict[str, Any], list[Spec]]] = [
    ("Identity", [], {}, [x(2, 3)]),
    ("Linear", [3, 2], {}, [x(4, 3)]),
    ("Linear", [3, 2], {}, [x(3)]),
    ("Linear", [3, 2], {"bias": False}, [x(2, 4, 3)]),
    ("Linear", [3, 2], {"dtype": torch.float64}, []),
    ("Bilinear", [3, 2, 4], {}, [x(5, 3), x(5, 2)]),
    ("Flatten", [], {}, [x(2, 3, 4)]),
    ("Flatten", [0], {"end_dim": 1}, [x(2, 3, 4)]),
    ("Unflatten", [1, (2, 3)], {}, [x(2, 6)]),
    ("Embedding", [5, 3], {}, [index([0, 2], [4, 0])]),
    ("Embedding", [5, 3], {"padding_idx": -1}, [index(0, 4, 1)]),
    ("Embedding", [5, 3], {"padding_idx": 2, "scale_grad_by_freq": True}, [index(0, 2, 1, 1)]),
    ("Embedding", [5, 3], {"max_norm": 1.0}, [index(0, 2, 4, 0)]),
    ("Embedding", [5, 3], {"max_norm": 0.5, "norm_type": 1.0}, [index(3, 1)]),
    ("EmbeddingBag", [5, 3], {}, [index([0, 2], [4, 0])]),
    ("EmbeddingBag", [5, 3], {"mode": "sum"}, [index(0, 2, 4, 0), index(0, 3)]),
    ("EmbeddingBag", [5, 3], {"mode": "max"}, [index(0, 2, 4, 0), index(0, 3)]),
    ("Conv1d", [2, 4, 3], {}, [x(2, 2, 7)]),
    ("Conv1d", [2, 4, 3], {"stride": 2, "padding": 1, "dilation": 2, "groups": 2, "bias": False}, [x(2, 2, 9)]),
    ("Conv2d", [4, 2, 3], {}, [x(*IMAGE)]),
    ("Conv2d", [4, 2, (3, 2)], {"padding": "same"}, [x(*IMAGE)]),
    ("Conv2d", [4, 2, 3], {"padding": 1, "padding_mode": "circular"}, [x(*IMAGE)]),
    ("Conv2d", [4, 4, 3], {"padding": (1, 2), "stride": (2, 1), "groups": 4}, [x(*IMAGE)]),
    ("Conv3d", [1, 2, 2], {}, [x(1, 1, 3, 3, 3)]),
    ("ConvTranspose1d", [2, 4, 3], {"stride": 2, "output_padding": 1}, [x(2, 2, 5)]),
    ("ConvTranspose2d", [4, 2, 3], {"padding": 1}, [x(*IMAGE)]),
    ("ConvTranspose3d", [1, 2, 2], {}, [x(1, 1, 2, 2, 2)]),
    ("BatchNorm1d", [3], {}, [x(4, 3)]),
    ("BatchNorm1d", [3], {"momentum": None}, [x(4, 3, 2)]),
    ("BatchNorm1d", [3], {"affine": False, "track_running_stats": False}, [x(4, 3)]),
    ("BatchNorm2d", [4], {}, [x(*IMAGE)]),
    ("BatchNorm3d", [2], {"eps": 1e-3}, [x(2, 2, 2, 2, 2)]),
    ("InstanceNorm1d", [2], {}, [x(2, 2, 4)]),
    ("InstanceNorm2d", [4], {"affine": True, "track_running_stats": True}, [x(*IMAGE)]),
    ("InstanceNorm3d", [2], {}, [x(2, 2, 2, 2, 2)]),
    ("LayerNorm", [5], {}, [x(2, 3, 5)]),
    ("LayerNorm", [(3, 5)], {"bias": False}, [x(2, 3, 5)]),
    ("LayerNorm", [5], {"elementwise_affine": False, "eps": 1e-3}, [x(2, 5)]),
    ("RMSNorm", [5], {}, [x(2, 3, 5)]),
    ("RMSNorm", [(3, 5)], {"eps": 1e-3, "elementwise_affine": False}, [x(2, 3, 5)]),
    ("GroupNorm", [2, 4], {}, [x(*IMAGE)]),
    ("LocalResponseNorm", [2], {}, [x(*IMAGE)]),
    ("Dropout", [], {}, [x(3, 4)]),
    ("Dropout", [0.25], {"inplace": False}, [x(3, 4)]),
    ("Dropout1d", [0.5], {}, [x(2, 3, 4)]),
    ("Dropout2d", [0.5], {}, [x(*IMAGE)]),
    ("Dropout3d", [0.5], {}, [x(2, 2, 2, 2, 2)]),
    ("AlphaDropout", [0.5], {}, [x(3, 4)]),
    ("FeatureAlphaDropout", [0.5], {}, [x(2, 3, 4)]),
    ("MaxPool1d", [2], {}, [x(2, 3, 7)]),
    ("MaxPool2d", [2], {}, [x(*IMAGE)]),
    ("MaxPool2d", [3], {"stride": 1, "padding": 1, "ceil_mode": True, "return_indices": True}, [x(*IMAGE)]),
    ("MaxPool3d", [2], {}, [x(1, 2, 3, 3, 3)]),
    ("AvgPool1d", [2], {}, [x(2, 3, 7)]),
    ("AvgPool2d", [(2, 1)], {"count_include_pad": False, "padding": (1, 0)}, [x(*IMAGE)]),
    ("AvgPool3d", [2], {}, [x(1, 2, 3, 3, 3)]),
    ("LPPool1d", [2, 2], {}, [x(2, 3, 6)]),
    ("LPPool2d", [2.0, 2], {}, [x(*IMAGE)]),
    ("LPPool3d", [2, 2], {}, [x(1, 2, 2, 2, 2)]),
    ("MaxUnpool1d", [2], {}, [x(1, 1, 2), index([[1, 2]])]),
    ("MaxUnpool2d", [2], {}, [x(1, 1, 1, 2), index([[[1, 6]]])]),
    ("MaxUnpool3d", [2], {}, [x(1, 1, 1, 1, 2), index([[[[1, 6]]]])]),
    ("AdaptiveAvgPool1d", [3], {}, [x(2, 3, 7)]),
    ("AdaptiveAvgPool2d", [(2, 3)], {}, [x(*IMAGE)]),
    ("AdaptiveAvgPool3d", [2], {}, [x(1, 2, 3, 3, 3)]),
    ("AdaptiveMaxPool1d", [3], {}, [x(2, 3, 7)]),
    ("AdaptiveMaxPool2d", [2], {}, [x(*IMAGE)]),
    ("AdaptiveMaxPool3d", [2], {}, [x(1, 2, 3, 3, 3)]),
    ("Upsample", [], {"scale_factor": 2}, [x(1, 2, 3, 3)]),
    ("Upsample", [], {"size": (5, 4), "mode": "bilinear"}, [x(1, 2, 3, 3)]),
    ("UpsamplingNearest2d", [], {"scale_factor": 2}, [x(1, 2, 3, 3)]),
    ("UpsamplingBilinear2d", [], {"size": 5}, [x(1, 2, 3, 3)]),
    ("ZeroPad1d", [1], {}, [x(1, 2, 3)]),
    ("ZeroPad2d", [(1, 0, 2, 1)], {}, [x(1, 2, 3, 3)]),
    ("ZeroPad3d", [1], {}, [x(1, 2, 2, 2, 2)]),
    ("ConstantPad1d", [(1, 2), 3.5], {}, [x(1, 2, 3)]),
    ("ConstantPad2d", [1, -1], {}, [x(1, 2, 3, 3)]),
    ("ConstantPad3d", [1, 0.5], {}, [x(1, 2, 2, 2, 2)]),
    ("ReflectionPad1d", [1], {}, [x(1, 2, 3)]),
    ("ReflectionPad2d", [1], {}, [x(1, 2, 3, 3)]),
    ("ReflectionPad3d", [1], {}, [x(1, 1, 2, 2, 2)]),
    ("ReplicationPad1d", [1], {}, [x(1, 2, 3)]),
    ("ReplicationPad2d", [(1, 0, 2, 1)], {}, [x(1, 2, 3, 3)]),
    ("ReplicationPad3d", [1], {}, [x(1, 1, 2, 2, 2)]),
    ("CircularPad1d", [1], {}, [x(1, 2, 3)]),
    ("CircularPad2d", [1], {}, [x(1, 2, 3, 3)]),
    ("CircularPad3d", [1], {}, [x(1, 1, 2, 2, 2)]),
    ("PixelShuffle", [2], {}, [x(1, 4, 2, 2)]),
    ("PixelUnshuffle", [2], {}, [x(1, 1, 4, 4)]),
    ("ChannelShuffle", [2], {}, [data(1, 4, 2, 2)]),
    ("Unfold", [(2, 2)], {}, [x(1, 2, 3, 3)]),
    ("Fold", [(3, 3), 2], {}, [x(1, 8, 4)]),
    ("ReLU", [], {}, [x(2, 3)]),
    ("ReLU", [], {"inplace": True}, [data(2, 3)]),
    ("ReLU6", [], {}, [x(2, 3)]),
    ("SELU", [], {}, [x(2, 3)]),
    ("SiLU", [], {}, [x(2, 3)]),
    ("Mish", [], {}, [x(2, 3)]),
    ("Hardsigmoid", [], {}, [x(2, 3)]),
    ("Hardswish", [], {}, [x(2, 3)]),
    ("Sigmoid", [], {}, [x(2, 3)]),
    ("Tanh", [], {}, [x(2, 3)]),
    ("Softsign", [], {}, [x(2, 3)]),
    ("Tanhshrink", [], {}, [x(2, 3)]),
    ("LogSigmoid", [], {}, [x(2, 3)]),
    ("ELU", [], {}, [x(2, 3)]),
    ("ELU", [0.5], {"inplace": True}, [data(2, 3)]),
    ("CELU", [2], {}, [x(2, 3)]),
    ("LeakyReLU", [0.1], {}, [x(2, 3)]),
    ("Threshold", [0.1, 20], {}, [x(2, 3)]),
    ("RReLU", [], {}, [x(2, 3)]),
    ("Hardtanh", [], {"min_val": -0.5, "max_val": 1}, [x(2, 3)]),
    ("GLU", [], {}, [x(2, 4)]),
    ("GELU", [], {}, [x(2, 3)]),
    ("GELU", ["tanh"], {}, [x(2, 3)]),
    ("Hardshrink", [], {}, [x(2, 3)]),
    ("Softshrink", [0.3], {}, [x(2, 3)]),
    ("Softplus", [2], {}, [x(2, 3)]),
    ("Softmax", [1], {}, [x(2, 3)]),
    ("Softmax", [], {}, [x(2, 3)]),
    ("LogSoftmax", [], {"dim": 0}, [x(2, 3)]),
    ("Softmin", [1], {}, [x(2, 3)]),
    ("Softmax2d", [], {}, [x(1, 2, 2, 2)]),
    ("PReLU", [], {}, [x(2, 3)]),
    ("PReLU", [3, 0.1], {}, [x(2, 3)]),
    ("RNNCell", [3, 2], {}, [x(4, 3)]),
    ("RNNCell", [3, 2], {"nonlinearity": "relu", "bias": False}, [x(3), x(2)]),
    ("GRUCell", [3, 2], {}, [x(4, 3), x(4, 2)]),
    ("GRUCell", [3, 2], {"bias": False}, [x(3)]),
    ("LSTMCell", [3, 2], {}, [x(4, 3)]),
    ("LSTMCell", [3, 2], {"bias": False}, [x(4, 3), x(4, 2), x(4, 2)]),
    ("LSTMCell", [3, 2], {}, [x(3), x(2), x(2)]),
    ("RNN", [3, 2], {}, [x(4, 2, 3)]),
    ("RNN", [3, 2, 2, "relu"], {"bidirectional": True, "batch_first": True}, [x(2, 4, 3), x(4, 2, 2)]),
    ("GRU", [3, 2], {}, [x(4, 2, 3), x(1, 2, 2)]),
    ("GRU", [3, 2, 2], {"bias": False, "dropout": 0.5}, [x(4, 3)]),
    ("LSTM", [3, 2], {}, [x(4, 2, 3)]),
    ("LSTM", [3, 2, 2], {"bidirectional": True, "batch_first": True}, [x(2, 3, 3), x(4, 2, 2), x(4, 2, 2)]),
    ("LSTM", [3, 4], {"proj_size": 2, "num_layers": 2, "dropout": 0.25}, [x(4, 2, 3)]),
    ("LSTM", [3, 2], {"batch_first": True}, [x(4, 3), x(1, 2), x(1, 2)]),
    ("L1Loss", [], {}, [x(2, 3), data(2, 3)]),
    ("L1Loss", [], {"reduction": "none"}, [x(2, 3), data(2, 3)]),
    ("MSELoss", [], {}, [x(2, 3), data(2, 3)]),
    ("MSELoss", [], {"reduction": "sum"}, [x(2, 3), x(2, 3)]),
    ("SmoothL1Loss", [], {}, [x(2, 3), data(2, 3)]),
    ("SmoothL1Loss", [], {"beta": 0.3}, [x(2, 3), data(2, 3)]),
    ("HuberLoss", [], {"delta": 0.7}, [x(2, 3), data(2, 3)]),
    ("SoftMarginLoss", [], {}, [x(3), floats(1.0, -1.0, 1.0)]),
    ("MultiLabelMarginLoss", [], {}, [x(1, 4), index([3, 0, -1, 1])]),
    ("HingeEmbeddingLoss", [], {}, [x(3), floats(1.0, -1.0, 1.0)]),
    ("KLDivLoss", [], {"reduction": "batchmean"}, [logp(2, 3), share(2, 3)]),
    ("KLDivLoss", [], {"reduction": "sum", "log_target": True}, [logp(2, 3), data(2, 3)]),
    ("PoissonNLLLoss", [], {}, [x(2, 3), share(2, 3)]),
    ("GaussianNLLLoss", [], {}, [x(2, 3), data(2, 3), prob(2, 3)]),
    ("NLLLoss", [], {}, [logp(3, 3), index(0, 2, 1)]),
    ("NLLLoss", [WEIGHT], {"ignore_index": 1}, [logp(3, 3), index(0, 2, 1)]),
    ("CrossEntropyLoss", [], {}, [x(3, 3), index(0, 2, 1)]),
    ("CrossEntropyLoss", [], {"label_smoothing": 0.1, "reduction": "sum"}, [x(3, 3), index(0, 2, 1)]),
    ("CrossEntropyLoss", [], {"weight": WEIGHT}, [x(3, 3), share(3, 3)]),
    ("BCELoss", [], {}, [prob(2, 3), share(2, 3)]),
    ("BCELoss", [WEIGHT], {}, [prob(2, 3), share(2, 3)]),
    ("BCEWithLogitsLoss", [], {}, [x(2, 3), share(2, 3)]),
    ("BCEWithLogitsLoss", [], {"pos_weight": WEIGHT, "reduction": "none"}, [x(2, 3), share(2, 3)]),
    ("MultiLabelSoftMarginLoss", [], {}, [x(2, 3), floats([1.0, 0.0, 1.0], [0.0, 0.0, 1.0])]),
    ("CosineEmbeddingLoss", [], {}, [x(2, 3), x(2, 3), index(1, -1)]),
    ("MarginRankingLoss", [], {"margin": 0.1}, [x(3), x(3), floats(1.0, -1.0, 1.0)]),
    ("MultiMarginLoss", [], {}, [x(2, 3), index(0, 2)]),
    ("TripletMarginLoss", [], {}, [x(2, 3), x(2, 3), x(2, 3)]),
    ("CTCLoss", [], {}, [logp(4, 1, 3), index([1, 2]), index(4), index(2)]),
    ("CosineSimilarity", [], {}, [x(2, 3), x(2, 3)]),
    ("PairwiseDistance", [], {}, [x(2, 3), x(2, 3)]),
]

# What is refused: by the constructor, or by the forward pass.
REFUSED: list[tuple[str, list[Any], dict[str, Any], list[Spec]]] = [
    ("Linear", [3], {}, []),
    ("Linear", [], {}, []),
    ("Linear", [3, 2, True, None, None, 1], {}, []),
    ("Linear", [3, 2], {"biass": True}, []),
    ("Linear", [3, 2], {}, [x(4, 5)]),
    ("Linear", [3, 2], {}, []),
    ("Linear", [3, 2], {}, [x(4, 3), x(4, 3)]),
    ("Embedding", [5, 3], {"padding_idx": 5}, []),
    ("Embedding", [5, 3], {"padding_idx": -6}, []),
    ("Embedding", [5, 3], {}, [index(5)]),
    ("Conv2d", [3, 4, 3], {"groups": 2}, []),
    ("Conv2d", [4, 3, 3], {"groups": 2}, []),
    ("Conv2d", [4, 4, 3], {"groups": 0}, []),
    ("Conv2d", [4, 4, 3], {"padding": "full"}, []),
    ("Conv2d", [4, 4, 3], {"padding": "same", "stride": 2}, []),
    ("Conv2d", [4, 4, 3], {"padding_mode": "mirror"}, []),
    ("Conv2d", [3, 4, 3], {}, [x(*IMAGE)]),
    ("ConvTranspose2d", [4, 4, 3], {"padding_mode": "circular"}, []),
    ("BatchNorm1d", [3], {}, [x(3)]),
    ("BatchNorm2d", [3], {}, [x(2, 3)]),
    ("BatchNorm1d", [3], {}, [x(1, 3)]),
    ("BatchNorm1d", [3], {}, [x(4, 2)]),
    ("InstanceNorm1d", [3], {"affine": True}, [x(2, 2, 3)]),
    ("LayerNorm", [5], {}, [x(2, 3)]),
    ("GroupNorm", [3, 4], {}, []),
    ("GroupNorm", [0, 4], {}, []),
    ("Dropout", [1.5], {}, []),
    ("Dropout", [-1], {}, []),
    ("Hardtanh", [1.0, 0.5], {}, []),
    ("Softmax2d", [], {}, [x(2, 2)]),
    ("MultiMarginLoss", [], {"p": 3}, []),
    ("TripletMarginLoss", [], {"margin": 0.0}, []),
    ("MSELoss", ["sum"], {"reduction": "mean", "margin": 1}, []),
    ("MSELoss", [], {"reduction": "average"}, [x(2), data(2)]),
    ("MSELoss", [], {}, [x(2)]),
    ("CrossEntropyLoss", [], {}, [x(2, 3), index(0, 3)]),
    ("CrossEntropyLoss", [], {}, [x(2, 3), index(0)]),
    ("BCELoss", [], {}, [floats(1.5, 0.5), floats(1.0, 0.0)]),
    ("BCELoss", [], {}, [prob(2), share(3)]),
    ("LSTM", [3, 0], {}, []),
    ("LSTM", [3, 2, 0], {}, []),
    ("LSTM", [3, 2], {"proj_size": 2}, []),
    ("LSTM", [3, 2], {"proj_size": -1}, []),
    ("LSTM", [3, 2], {"dropout": 1.5}, []),
    ("RNN", [3, 2], {"nonlinearity": "sigmoid"}, []),
    ("LSTM", [3, 2], {}, [x(3)]),
    ("RNN", [3, 2], {}, [x(3)]),
    ("GRU", [3, 2], {}, [x(1, 1, 1, 3)]),
    ("LSTM", [3, 2], {}, [x(4, 2, 5)]),
    ("LSTM", [3, 2], {}, [x(4, 2, 3), x(1, 2, 3), x(1, 2, 2)]),
    ("LSTM", [3, 2], {}, [x(4, 2, 3), x(1, 2, 2), x(1, 3, 2)]),
    ("LSTM", [3, 2], {}, [x(4, 2, 3), x(2, 2), x(2, 2)]),
    ("LSTM", [3, 2], {}, [x(4, 3), x(1, 1, 2), x(1, 1, 2)]),
    ("GRU", [3, 2], {}, [x(4, 3), x(1, 1, 2)]),
    ("GRU", [3, 2], {}, [x(4, 2, 3), x(1, 2)]),
    ("GRU", [3, 2], {}, [x(4, 2, 3), x(2, 2, 2)]),
    ("LSTMCell", [3, 2], {}, [x(1, 2, 3)]),
    ("LSTMCell", [3, 2], {}, [x(2, 3), x(1, 2, 2), x(2, 2)]),
    ("RNNCell", [3, 2], {}, [x(2, 3), x(1, 2, 2)]),
    ("RNNCell", [3, 2], {"nonlinearity": "sigmoid"}, [x(2, 3)]),
    ("GRUCell", [3, 2], {}, [x(1, 1, 3)]),
]


def make(spec: Spec) -> torch.Tensor:
    kind, value, requires_grad = spec
    makers: dict[str, Callable[[Any], torch.Tensor]] = {
        "randn": lambda shape: torch.randn(shape),
        "rand": lambda shape: torch.rand(shape),
        "log": lambda shape: torch.randn(shape).log_softmax(-1),
        "int": torch.tensor,
        "float": torch.tensor,
    }
    return makers[kind](value).requires_grad_(requires_grad)


def written(t: torch.Tensor) -> dict[str, Any]:
    """A tensor: floats by their bits, eight or sixteen hexadecimal digits each."""
    record: dict[str, Any] = {"shape": list(t.shape), "dtype": str(t.dtype).removeprefix("torch.")}
    flat = t.detach().reshape(-1).tolist()
    codes = {torch.float32: ">f", torch.float64: ">d"}
    if t.dtype in codes:
        record["bits"] = "".join(struct.pack(codes[t.dtype], v).hex() for v in flat)
    else:
        record["ints"] = flat
    if t.requires_grad:
        record["requires_grad"] = True
    if t._version:
        record["version"] = t._version
    return record


def plain(value: Any) -> Any:
    """An argument in JSON."""
    if isinstance(value, torch.Tensor):
        return written(value)
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    return list(value) if isinstance(value, tuple) else value


def node_names(outs: list[torch.Tensor]) -> dict[str, int]:
    """How many nodes of each name are below the results."""
    seen, names = set(), collections.Counter()
    todo = [t.grad_fn for t in outs]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        names[node.name().removeprefix("torch::autograd::")] += 1
        todo += [n for n, _ in node.next_functions]
    return dict(sorted(names.items()))


def tree(fn: Any) -> str:
    if fn is None:
        return "None"
    below = [tree(f) + (f":{i}" if i else "") for f, i in fn.next_functions]
    name = fn.name().removeprefix("torch::autograd::")
    return name + (f"({', '.join(below)})" if below else "")


def flat(result: Any) -> list[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        return [result]
    return [t for part in result for t in flat(part)]


def call(module: nn.Module, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    if len(inputs) == 3 and "LSTM" in type(module).__name__:
        return flat(module(inputs[0], (inputs[1], inputs[2])))
    return flat(module(*inputs))


def ramp(t: torch.Tensor) -> torch.Tensor:
    """A gradient of numbers that floats hold exactly."""
    return (torch.arange(t.numel(), dtype=t.dtype) * 0.25 - 1).reshape(t.shape)


def start(cls: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    return {"class": cls, "args": [plain(a) for a in args], "kwargs": {k: plain(v) for k, v in kwargs.items()}}


def layer(cls: str, args: list[Any], kwargs: dict[str, Any], specs: list[Spec]) -> dict[str, Any]:
    record = start(cls, args, kwargs)
    torch.manual_seed(0)
    module = getattr(nn, cls)(*args, **kwargs)
    record["type"] = torch.typename(module)
    record["repr"] = repr(module)
    record["params"] = [[n, written(p)] for n, p in module.named_parameters()]
    record["state"] = list(module.state_dict())
    if not specs:
        return record
    torch.manual_seed(1)
    inputs = [make(s) for s in specs]
    record["inputs"] = [written(t) for t in inputs]
    torch.manual_seed(2)
    outs = call(module, inputs)
    record["outputs"] = [written(t) for t in outs]
    roots = [t for t in outs if t.requires_grad]
    if roots and roots[0].grad_fn is not None:
        record["nodes"] = node_names(roots)
        if sum(record["nodes"].values()) < 25:
            record["tree"] = tree(roots[0].grad_fn)
        torch.autograd.backward(roots, [ramp(t) for t in roots])
        grads = [t.grad for t in [*inputs, *module.parameters()] if t.requires_grad]
        record["grads"] = [None if g is None else written(g) for g in grads]
    record["buffers"] = [[n, written(b)] for n, b in module.named_buffers()]
    record["after"] = [p._version for p in module.parameters()]
    module.eval()
    with torch.no_grad():
        torch.manual_seed(3)
        record["eval"] = [written(t) for t in call(module, inputs)]
    return record


def message(e: Exception) -> str:
    """The last line of a traceback, without what depends on the run (the order in
    which a set prints) and on the version of Python (advice about names)."""
    text = re.sub(r"\. Did you mean .*", "", f"{type(e).__name__}: {e}")
    return re.sub(r"\{('.*?')\}", lambda m: "{" + ", ".join(sorted(m[1].split(", "))) + "}", text)


def refusal(cls: str, args: list[Any], kwargs: dict[str, Any], specs: list[Spec]) -> dict[str, Any]:
    record = start(cls, args, kwargs)
    torch.manual_seed(1)
    inputs = [make(s) for s in specs]
    record["inputs"] = [written(t) for t in inputs]
    try:
        module = getattr(nn, cls)(*args, **kwargs)
    except Exception as e:
        return record | {"error": message(e), "constructor": True}
    try:
        call(module, inputs)
    except Exception as e:
        return record | {"error": message(e)}
    msg = f"{cls} {args} {kwargs} {specs} is accepted"
    raise AssertionError(msg)


def main() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with torch.backends.mkldnn.flags(enabled=False):
        records = [layer(*case) for case in LAYERS] + [refusal(*case) for case in REFUSED]
    for record in records:
        sys.stdout.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
