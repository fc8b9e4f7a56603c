"""Recurrent layers as functions: torch.lstm, torch.gru_cell and the like, made of ordinary operators.

The operators run in the order of PyTorch's native implementation, because the graph shows it.
"""

import warnings

import torch


class _Weights:
    """The parameters of one layer and direction; those that are missing are None."""

    def __init__(self, params, has_biases, has_projection=False):
        self.ih, self.hh = params[0], params[1]
        self.bias_ih, self.bias_hh = params[2:4] if has_biases else (None, None)
        self.projection = params[-1] if has_projection else None

    def of_input(self, x):
        return torch.nn.functional.linear(x, self.ih, self.bias_ih)

    def of_hidden(self, h):
        return torch.nn.functional.linear(h, self.hh, self.bias_hh)


# A step computes the next hidden states. of_input gives the gates' part from the input when it is called.


def _simple_step(activation):
    def step(of_input, hidden, weights):
        return (activation(weights.of_hidden(hidden[0]).add_(of_input())),)

    return step


def _lstm_step(of_input, hidden, weights):
    h, c = hidden
    gates = weights.of_hidden(h).add_(of_input()).unsafe_chunk(4, 1)
    taken, kept, cell, out = gates[0].sigmoid_(), gates[1].sigmoid_(), gates[2].tanh_(), gates[3].sigmoid_()
    c = (kept * c).add_(taken * cell)
    h = out * c.tanh()
    if weights.projection is not None:
        h = h.matmul(weights.projection.t())
    return h, c


def _gru_step(of_input, hidden, weights):
    (h,) = hidden
    inputs = of_input().unsafe_chunk(3, 1)
    gates = weights.of_hidden(h).unsafe_chunk(3, 1)
    reset = gates[0].add_(inputs[0]).sigmoid_()
    update = gates[1].add_(inputs[1]).sigmoid_()
    new = inputs[2].add(gates[2].mul_(reset)).tanh_()
    return ((h - new).mul_(update).add_(new),)


def _sequence(step, x, hidden, weights, reverse):
    """One layer in one direction over (time, batch, features): the outputs and the last hidden states."""
    inputs = weights.of_input(x).unbind(0)
    if not inputs:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    outputs = []
    for of_input in reversed(inputs) if reverse else inputs:
        hidden = step(lambda: of_input, hidden, weights)
        outputs.append(hidden[0])
    return torch.stack(outputs[::-1] if reverse else outputs, 0), hidden


def _packed_sequence(sizes):
    """The same over the rows of a packed sequence, whose steps have the given numbers of rows."""

    def forward(step, x, hidden, weights):
        outputs, ended, at, last = [], [], 0, sizes[0]
        inputs = weights.of_input(x)
        for size in sizes:
            of_input = inputs.narrow(0, at, size)
            at += size
            if size < last:
                ended.append([h.narrow(0, size, last - size) for h in hidden])
                hidden = [h.narrow(0, 0, size) for h in hidden]
            last = size
            hidden = step(lambda: of_input, hidden, weights)
            outputs.append(hidden[0])
        ended.append(hidden)
        return torch.cat(outputs, 0), [torch.cat(hs, 0) for hs in zip(*ended[::-1])]

    def backward(step, x, initial, weights):
        outputs, at, last = [], x.size(0), sizes[-1]
        inputs = weights.of_input(x)
        hidden = [h.narrow(0, 0, last) for h in initial]
        for size in reversed(sizes):
            if size > last:
                more = [h.narrow(0, last, size - last) for h in initial]
                hidden = [torch.cat(pair, 0) for pair in zip(hidden, more)]
            at -= size
            last = size
            of_input = inputs.narrow(0, at, size)
            hidden = step(lambda: of_input, hidden, weights)
            outputs.append(hidden[0])
        return torch.cat(outputs[::-1], 0), hidden

    def sequence(step, x, hidden, weights, reverse):
        return (backward if reverse else forward)(step, x, hidden, weights)

    return sequence


def _stack(sequence, step, x, initial, weights, dropout, bidirectional):
    """Several layers. initial are the states of each layer and direction."""
    directions = 2 if bidirectional else 1
    last = []
    for at in range(0, len(weights), directions):
        outputs = []
        for d in range(directions):
            output, hidden = sequence(step, x, initial[at + d], weights[at + d], d == 1)
            outputs.append(output)
            last.append(hidden)
        x = torch.cat(outputs, x.dim() - 1) if bidirectional else outputs[0]
        if dropout and at + directions < len(weights):
            x = torch.dropout(x, dropout, True)
    return (x, *(torch.stack(hs, 0) for hs in zip(*last)))


def _fused_sequence(has_biases, layers, bidirectional, batch_first, train):
    """The same for an LSTM whose layers are one operator each, as PyTorch has them with oneDNN."""

    def sequence(step, x, hidden, weights, reverse):
        if has_biases:
            biases = weights.bias_ih, weights.bias_hh
        else:
            biases = torch.zeros_like(weights.ih), torch.zeros_like(weights.hh)
        output, h, c, _ = torch.mkldnn_rnn_layer(
            x,
            weights.ih,
            weights.hh,
            *biases,
            *hidden,
            reverse,
            [],
            2,
            weights.hh.size(1),
            layers,
            has_biases,
            bidirectional,
            batch_first,
            train,
        )
        return output, (h, c)

    return sequence


def _unbind(h):
    return h.unbind(0)


def _select(h):
    return [h[i] for i in range(h.size(0))]


def _recurrent(name, step, states=1):
    """The function of a recurrent layer: of padded sequences, or of packed ones with their batch sizes."""

    def function(*args):
        if len(args) == 9 and isinstance(args[3], (list, tuple)):
            x, sizes, hx, params, has_biases, _, dropout, train, bidirectional = args
            sequence, batch_first = _packed_sequence(sizes.tolist()), False
        else:
            x, hx, params, has_biases, layers, dropout, train, bidirectional, batch_first = args
            sequence = _sequence
        hx = (hx,) if states == 1 else tuple(hx)
        projected = states == 2 and hx[0].size(2) != hx[1].size(2)
        fused = states == 2 and sequence is _sequence and x.dtype == torch.float32 and x.numel() != 0
        fused = fused and torch.backends.mkldnn.enabled
        if fused and projected:
            fused = False
            warnings.warn("LSTM with projections is not supported with oneDNN. Using default implementation.")
        if fused:
            sequence = _fused_sequence(has_biases, layers, bidirectional, batch_first, train)
        n = 2 + 2 * bool(has_biases) + projected
        weights = [_Weights(params[i : i + n], has_biases, projected) for i in range(0, len(params), n)]
        if batch_first:
            x = x.transpose(0, 1)
        initial = list(zip(*map(_select if fused else _unbind, hx)))
        output, *last = _stack(sequence, step, x, initial, weights, dropout if train else 0, bidirectional)
        if batch_first:
            output = output.transpose(0, 1) if fused else output.transpose_(0, 1)
        return (output, *last)

    function.__name__ = function.__qualname__ = name
    return function


def _cell(name, step, states=1):
    """The function of one step."""

    def function(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
        hx = (hx,) if states == 1 else tuple(hx)
        _check_cell(input, hx, w_ih, w_hh)
        weights = _Weights((w_ih, w_hh, b_ih, b_hh), True)
        result = step(lambda: weights.of_input(input), hx, weights)
        return result if states > 1 else result[0]

    function.__name__ = function.__qualname__ = name
    return function


def _check_cell(input, hx, w_ih, w_hh):
    if input.size(1) != w_ih.size(1):
        raise RuntimeError(f"input has inconsistent input_size: got {input.size(1)} expected {w_ih.size(1)}")
    for h in hx:
        if input.size(0) != h.size(0):
            raise RuntimeError(f"Input batch size {input.size(0)} doesn't match hidden0 batch size {h.size(0)}")
        if h.size(1) != w_hh.size(1):
            raise RuntimeError(f"hidden0 has inconsistent hidden_size: got {h.size(1)}, expected {w_hh.size(1)}")


rnn_tanh = _recurrent("rnn_tanh", _simple_step(torch.tanh))
rnn_relu = _recurrent("rnn_relu", _simple_step(torch.relu))
lstm = _recurrent("lstm", _lstm_step, states=2)
gru = _recurrent("gru", _gru_step)
rnn_tanh_cell = _cell("rnn_tanh_cell", _simple_step(torch.tanh))
rnn_relu_cell = _cell("rnn_relu_cell", _simple_step(torch.relu))
lstm_cell = _cell("lstm_cell", _lstm_step, states=2)
gru_cell = _cell("gru_cell", _gru_step)
