import torch
from torch import nn

torch.manual_seed(0)
lstm = nn.LSTM(input_size=3, hidden_size=4, num_layers=2, batch_first=True)
print(lstm)
print({k: tuple(v.shape) for k, v in lstm.state_dict().items()})
x = torch.randn(2, 5, 3, requires_grad=True)
out, (h, c) = lstm(x)
print(out)
print(h, c)
(out.sum() + c.pow(2).sum()).backward()
print(x.grad)
print(lstm.weight_ih_l0.grad, lstm.bias_hh_l1.grad)
both = nn.LSTM(3, 2, bidirectional=True)
h0, c0 = torch.randn(2, 1, 2), torch.randn(2, 1, 2)
y, (hn, cn) = both(torch.ones(3, 1, 3), (h0, c0))
print(both, y.shape, hn, cn)
double = nn.LSTM(2, 3, dtype=torch.float64)
out, _ = double(torch.ones(2, 1, 2, dtype=torch.float64))
print(out, out.grad_fn)
projected = nn.LSTM(3, 4, proj_size=2, bias=False)
print(projected, {k: tuple(v.shape) for k, v in projected.state_dict().items()})
out, (h, c) = projected(torch.ones(2, 1, 3))
print(out, h.shape, c.shape)
unbatched, (h, c) = both(torch.ones(4, 3))
print(unbatched.shape, h.shape, c.shape)
print([[tuple(w.shape) for w in ws] for ws in lstm.all_weights])
for bad in (
    lambda: lstm(x, (torch.ones(2, 2, 4), torch.ones(2, 2, 3))), lambda: lstm(x, (torch.ones(2, 3, 4), torch.ones(2, 2, 4))), lambda: lstm(torch.ones(1)),
    lambda: lstm(x, (torch.ones(2, 4), torch.ones(2, 4))), lambda: both(torch.ones(4, 3), (h0, c0)), lambda: nn.LSTM(3, 4, proj_size=4), lambda: nn.LSTM(3, 4, proj_size=-1),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
