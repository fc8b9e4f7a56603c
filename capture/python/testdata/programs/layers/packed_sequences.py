import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pack_sequence, pad_sequence

torch.manual_seed(0)
x = torch.randn(3, 4, 2, requires_grad=True)
packed = pack_padded_sequence(x, [2, 4, 1], batch_first=True, enforce_sorted=False)
print(packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
for layer in (nn.GRU(2, 3, batch_first=True), nn.RNN(2, 3, bidirectional=True), nn.LSTM(2, 3, num_layers=2), nn.LSTM(2, 3, bidirectional=True)):
    x.grad = None
    out, h = layer(packed)
    padded, lengths = pad_packed_sequence(out, batch_first=True)
    print(layer, tuple(padded.shape), lengths)
    print(padded)
    print(h[0] if isinstance(h, tuple) else h)
    padded.pow(2).sum().backward(retain_graph=True)
    print(x.grad)
h0 = torch.arange(9.0).view(1, 3, 3) / 9
out, h = nn.GRU(2, 3)(packed, h0)
print(out.data.shape, out.data.grad_fn.name(), h)
sequences = [torch.ones(3, 2), torch.zeros(1, 2)]
print(pad_sequence(sequences), pack_sequence(sequences))
try:
    nn.GRU(3, 3)(packed)
except RuntimeError as e:
    print(e)
