"""Recurrent layers and cells."""

import math
import numbers
import warnings

import torch
from torch import _VF
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence

__all__ = ["RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_FUNCTIONS = {"LSTM": _VF.lstm, "GRU": _VF.gru, "RNN_TANH": _VF.rnn_tanh, "RNN_RELU": _VF.rnn_relu}
_CELL_FUNCTIONS = {"tanh": _VF.rnn_tanh_cell, "relu": _VF.rnn_relu_cell}


def _apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


def apply_permutation(tensor, permutation, dim=1):
    """Deprecated: tensor.index_select."""
    warnings.warn(
        "`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
        category=FutureWarning,
        stacklevel=2,
    )
    return _apply_permutation(tensor, permutation, dim)


class RNNBase(Module):
    """What recurrent layers share: the parameters of their layers and directions, and the checks."""

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_arguments(dropout)
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        self._all_weights = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse") if bidirectional else ("",):
                self._all_weights.append(self._add_weights(layer, suffix, device, dtype))
        self._flat_weights_names = sum(self._all_weights, [])
        self.reset_parameters()

    def _check_arguments(self, dropout):
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={self.num_layers}"
            )
        if not isinstance(self.hidden_size, int):
            raise TypeError(f"hidden_size should be of type int, got: {type(self.hidden_size).__name__}")
        if self.hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _add_weights(self, layer, suffix, device, dtype):
        """Makes the parameters of one layer and direction and returns their names."""
        gates = _GATES[self.mode] * self.hidden_size
        size = self.proj_size or self.hidden_size
        inputs = self.input_size if layer == 0 else size * (2 if self.bidirectional else 1)
        shapes = {"weight_ih": (gates, inputs), "weight_hh": (gates, size)}
        if self.bias:
            shapes.update(bias_ih=(gates,), bias_hh=(gates,))
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        for name, shape in shapes.items():
            setattr(self, f"{name}_l{layer}{suffix}", Parameter(torch.empty(shape, device=device, dtype=dtype)))
        return [f"{name}_l{layer}{suffix}" for name in shapes]

    @property
    def _flat_weights(self):
        return [getattr(self, name, None) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self):
        """Does something on other devices only."""

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input, batch_sizes):
        dtype = getattr(self, self._flat_weights_names[0]).dtype
        if input.dtype != dtype:
            raise ValueError(f"input must have the type {dtype}, got type {input.dtype}")
        expected = 3 if batch_sizes is None else 2
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def _state_shape(self, input, batch_sizes, size):
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0) if self.batch_first else input.size(1)
        return (self.num_layers * (2 if self.bidirectional else 1), batch, size)

    def get_expected_hidden_size(self, input, batch_sizes):
        return self._state_shape(input, batch_sizes, self.proj_size or self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else _apply_permutation(hx, permutation)

    # The hidden state is one tensor, but for the LSTM; these three know how to make, check and change it.

    def _zeros(self, input, batch_sizes):
        return self._zero_state(input, self.get_expected_hidden_size(input, batch_sizes))

    def _zero_state(self, input, shape):
        return torch.zeros(shape, dtype=input.dtype, device=input.device)

    def _check_rank_of_hidden(self, hx, batched):
        if hx.dim() != (3 if batched else 2):
            kind, rank = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
            raise RuntimeError(f"For {kind} input, hx should also be {rank}-D but got {hx.dim()}-D tensor")

    def _map_hidden(self, f, hx):
        return f(hx)

    _rank_error = "{}: Expected input to be 2D or 3D, got {}D instead"

    def _forward(self, input, hx):
        """What forward does in all recurrent layers."""
        packed, batch_sizes, sorted_indices, unsorted_indices = isinstance(input, PackedSequence), None, None, None
        batched = True
        if packed:
            input, batch_sizes, sorted_indices, unsorted_indices = input
        else:
            if input.dim() not in (2, 3):
                raise ValueError(self._rank_error.format(self.mode[:4].rstrip("_"), input.dim()))
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(batch_dim)
            if hx is not None:
                self._check_rank_of_hidden(hx, batched)
                if not batched:
                    hx = self._map_hidden(lambda h: h.unsqueeze(1), hx)
        hx = self._zeros(input, batch_sizes) if hx is None else self.permute_hidden(hx, sorted_indices)
        if not (packed and self.mode == "LSTM"):
            self.check_forward_args(input, hx, batch_sizes)
        settings = (self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        function = _FUNCTIONS[self.mode]
        if packed:
            output, *hidden = function(input, batch_sizes, hx, *settings)
            output = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        else:
            output, *hidden = function(input, hx, *settings, self.batch_first)
        hidden = tuple(hidden) if len(hidden) > 1 else hidden[0]
        if not batched:
            output = output.squeeze(batch_dim)
            hidden = self._map_hidden(lambda h: h.squeeze(1), hidden)
        return output, self.permute_hidden(hidden, unsorted_indices)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        usual = dict(proj_size=0, num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False)
        for name, value in usual.items():
            if getattr(self, name) != value:
                text += f", {name}={getattr(self, name)}"
        return text


def _refuse_projection(kwargs):
    if "proj_size" in kwargs:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """h' = tanh or relu of (x W_ih + b_ih + h W_hh + b_hh), in several layers and directions."""

    _rank_error = "{}: Expected input to be 2D or 3D, got {}D tensor instead"

    def __init__(self, *args, **kwargs):
        _refuse_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + nonlinearity.upper(), *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        return self._forward(input, hx)


class LSTM(RNNBase):
    """Long short-term memory, in several layers and directions; the hidden state is a pair (h, c)."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input, batch_sizes):
        return self._state_shape(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        shapes = self.get_expected_hidden_size(input, batch_sizes), self.get_expected_cell_size(input, batch_sizes)
        for i, shape in enumerate(shapes):
            self.check_hidden_size(hidden[i], shape, f"Expected hidden[{i}] size {{}}, got {{}}")

    def permute_hidden(self, hx, permutation):
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def _zeros(self, input, batch_sizes):
        return (
            self._zero_state(input, self.get_expected_hidden_size(input, batch_sizes)),
            self._zero_state(input, self.get_expected_cell_size(input, batch_sizes)),
        )

    def _check_rank_of_hidden(self, hx, batched):
        expected = 3 if batched else 2
        if hx[0].dim() != expected or hx[1].dim() != expected:
            kind = "batched 3-D" if batched else "unbatched 2-D"
            raise RuntimeError(
                f"For {kind} input, hx and cx should also be {expected}-D "
                f"but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )

    def _map_hidden(self, f, hx):
        return f(hx[0]), f(hx[1])

    def forward(self, input, hx=None):
        return self._forward(input, hx)


class GRU(RNNBase):
    """Gated recurrent units, in several layers and directions."""

    def __init__(self, *args, **kwargs):
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input, hx=None):
        return self._forward(input, hx)


class RNNCellBase(Module):
    """What cells share: the parameters of one layer."""

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias

        def parameter(*shape):
            return Parameter(torch.empty(shape, device=device, dtype=dtype))

        self.weight_ih = parameter(num_chunks * hidden_size, input_size)
        self.weight_hh = parameter(num_chunks * hidden_size, hidden_size)
        for name in ("bias_ih", "bias_hh"):
            if bias:
                setattr(self, name, parameter(num_chunks * hidden_size))
            else:
                self.register_parameter(name, None)
        self.reset_parameters()

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in ("bias", True), ("nonlinearity", "tanh"):
            if self.__dict__.get(name, usual) != usual:
                text += f", {name}={getattr(self, name)}"
        return text

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _check(self, what, tensor):
        if tensor.dim() not in (1, 2):
            name = type(self)._known_as
            raise ValueError(f"{name}: Expected {what} to be 1D or 2D, got {tensor.dim()}D instead")

    def _step(self, function, input, hx, states):
        """One step with the hidden states in the tuple hx, or zeros; the next states."""
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            hx = (zeros,) * states
        elif not batched:
            hx = tuple(h.unsqueeze(0) for h in hx)
        next = function(
            input, hx if states > 1 else hx[0], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        )
        next = next if states > 1 else (next,)
        return next if batched else tuple(h.squeeze(0) for h in next)


class RNNCell(RNNCellBase):
    """One step of an RNN."""

    _known_as = "RNNCell"

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        self._check("input", input)
        if hx is not None:
            self._check("hidden", hx)
        if self.nonlinearity not in _CELL_FUNCTIONS:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(_CELL_FUNCTIONS[self.nonlinearity], input, hx if hx is None else (hx,), 1)[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM; the hidden state is a pair (h, c)."""

    _known_as = "LSTMCell"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=4, device=device, dtype=dtype)

    def forward(self, input, hx=None):
        self._check("input", input)
        for i, h in enumerate(hx or ()):
            self._check(f"hx[{i}]", h)
        return self._step(_VF.lstm_cell, input, hx, 2)


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    _known_as = "GRUCell"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, num_chunks=3, device=device, dtype=dtype)

    def forward(self, input, hx=None):
        self._check("input", input)
        if hx is not None:
            self._check("hidden", hx)
        return self._step(_VF.gru_cell, input, hx if hx is None else (hx,), 1)[0]
