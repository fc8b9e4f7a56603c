import torch
from torch import nn

torch.manual_seed(0)
rnn, relu, lstm, gru = nn.RNNCell(3, 2), nn.RNNCell(3, 2, nonlinearity="relu", bias=False), nn.LSTMCell(3, 2), nn.GRUCell(3, 2)
for cell in (rnn, relu, lstm, gru):
    print(cell, {k: tuple(v.shape) for k, v in cell.state_dict().items()})
xs = torch.randn(4, 2, 3, requires_grad=True)
for cell in (rnn, relu, gru):
    h = None
    for x in xs:
        h = cell(x, h)
    print(h, h.grad_fn)
    h.sum().backward()
    print(xs.grad[0], cell.weight_hh.grad)
    xs.grad = None
h, c = lstm(xs[0])
for x in xs[1:]:
    h, c = lstm(x, (h, c))
print(h, c)
(h.sum() * c.sum()).backward()
print(xs.grad)
print(lstm.weight_ih.grad, lstm.bias_hh.grad)
print(gru(torch.ones(3)).shape, lstm(torch.ones(3), (torch.ones(2), torch.ones(2)))[0].shape, rnn(torch.ones(3), torch.ones(2)).shape)
for bad in (
    lambda: rnn(torch.ones(1, 2, 3)), lambda: gru(xs[0], torch.ones(1, 2, 2)), lambda: lstm(xs[0], (torch.ones(2, 2), torch.ones(1, 2, 2))),
    lambda: gru(torch.ones(2, 4)), lambda: rnn(xs[0], torch.ones(3, 2)), lambda: lstm(xs[0], (torch.ones(2, 3), torch.ones(2, 2))), lambda: nn.RNNCell(3, 2, nonlinearity="exp")(xs[0]),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
