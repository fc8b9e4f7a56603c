import torch
from torch import nn
from torch.nn.utils import parametrizations

torch.manual_seed(0)
m = nn.utils.weight_norm(nn.Linear(3, 2))
print(m, [n for n, _ in m.named_parameters()], m.weight_g, m.weight.grad_fn)
x = torch.randn(4, 3)
y = m(x)
y.sum().backward()
print(y, m.weight_g.grad, m.weight_v.grad)
with torch.no_grad():
    m.weight_g.mul_(2)
print(m(x)[0])
try:
    nn.utils.weight_norm(m)
except RuntimeError as e:
    print(e)
nn.utils.remove_weight_norm(m)
print([n for n, _ in m.named_parameters()], m(x)[0])
try:
    nn.utils.remove_weight_norm(m)
except ValueError as e:
    print(e)
conv = nn.utils.weight_norm(nn.Conv1d(2, 3, 2), dim=1)
print(conv.weight_g.shape, conv.weight.grad_fn)
print(nn.utils.weight_norm(nn.Linear(2, 2), name="weight", dim=None).weight_g)
p = parametrizations.weight_norm(nn.Linear(3, 2))
print(p)
print([n for n, _ in p.named_parameters()], p.parametrizations.weight.original0.shape)
old = nn.utils.weight_norm(nn.Linear(3, 2))
print(p.load_state_dict(old.state_dict()), torch.allclose(p.weight, old.weight))
p(x).sum().backward()
print(p.parametrizations.weight.original0.grad)
last = parametrizations.weight_norm(nn.Linear(3, 2), dim=1)
print(last.weight.grad_fn, last.parametrizations.weight.original0)
