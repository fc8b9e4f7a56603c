import warnings

import torch
from torch import nn

warnings.simplefilter("always")
torch.manual_seed(0)
m = nn.Linear(2, 2)
m.state_dict({}, "a.")
nn.utils.clip_grad_norm([m.weight], 1.0)
nn.utils.stateless.functional_call(m, {}, (torch.ones(2),))
nn.utils.weight_norm(nn.Linear(2, 2))
nn.Container(a=nn.ReLU())
nn.init.sparse(torch.empty(2, 2), 0.5)
nn.LazyLinear(2)


class Listed(nn.Module):
    def forward(self, x):
        return [x * 2]


class Deep(nn.Module):
    def forward(self, x):
        return x * 2 + 1


class Pair(nn.Module):
    def forward(self, x):
        return x * 2, x + 1


x = torch.ones(1, requires_grad=True)
for module in (Listed(), Deep(), Pair()):
    module.register_backward_hook(lambda *args: None)
    module(x)
module = Deep()
module.register_backward_hook(lambda *args: None)
module(x=x)
full = Listed()
full.register_full_backward_hook(lambda *args: None)
print(type(full(x)))


class Fails(nn.Module):
    def forward(self, x):
        raise ValueError("failed")


f = Fails()
f.register_forward_hook(lambda *args: 1 / 0, always_call=True)
f(x)
