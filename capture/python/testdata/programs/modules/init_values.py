import torch
from torch import nn
from torch.nn import init

torch.manual_seed(0)
w = torch.empty(3, 4)
c = torch.empty(2, 4, 3)
for f in (
    lambda t: init.uniform_(t),
    lambda t: init.uniform_(t, -2.0, 5.0),
    lambda t: init.normal_(t),
    lambda t: init.normal_(t, mean=3.0, std=0.1),
    lambda t: init.trunc_normal_(t),
    lambda t: init.trunc_normal_(t, 0.5, 2.0, -1.0, 1.0),
    lambda t: init.constant_(t, 0.25),
    lambda t: init.ones_(t),
    lambda t: init.zeros_(t),
    lambda t: init.xavier_uniform_(t),
    lambda t: init.xavier_normal_(t, gain=2.0),
    lambda t: init.kaiming_uniform_(t, a=0.2),
    lambda t: init.kaiming_uniform_(t, mode="fan_out", nonlinearity="relu"),
    lambda t: init.kaiming_normal_(t, nonlinearity="tanh"),
):
    print(f(w) is w, w)
    print(f(c).flatten()[:5])
print(init.eye_(torch.empty(2, 3)), init.dirac_(torch.empty(3, 2, 3)))
print(init.dirac_(torch.empty(4, 2, 3, 3), groups=2).nonzero())
print(init.dirac_(torch.empty(1, 1, 3, 3, 3)).nonzero())
print(init.sparse_(torch.empty(4, 3), 0.5))
g = torch.Generator()
g.manual_seed(5)
print(init.uniform_(torch.empty(2), generator=g), init.normal_(torch.empty(2), generator=g))
lin = nn.Linear(2, 2)
print(init.xavier_uniform_(lin.weight), lin.weight.is_leaf, lin.weight._version)
print(init.constant_(nn.Parameter(torch.empty(2)), 3.0), init.zeros_(lin.bias).requires_grad)
print(torch.rand(2))
