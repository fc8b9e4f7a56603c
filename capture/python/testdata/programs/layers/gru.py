import torch
from torch import nn

torch.manual_seed(0)
gru = nn.GRU(3, 4, num_layers=2, bidirectional=True)
print(gru)
print(list(gru.state_dict()))
x = torch.randn(4, 2, 3, requires_grad=True)
out, h = gru(x)
print(out)
print(h)
out[-1].sum().backward()
print(x.grad)
print(gru.weight_hh_l0_reverse.grad[0], gru.bias_ih_l1.grad)
first = nn.GRU(2, 3, batch_first=True)
y, hn = first(torch.ones(1, 3, 2), torch.zeros(1, 1, 3))
print(y, y.grad_fn.name(), hn.grad_fn.name())
try:
    nn.GRU(2, 2, proj_size=1)
except ValueError as e:
    print(e)
first(torch.ones(1, 3, 2), torch.zeros(1, 2, 3))
