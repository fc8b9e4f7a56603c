import torch
from torch import nn
from torch.nn.modules import module as hooks

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
with torch.no_grad():
    net[0].weight.fill_(2.0), net[0].bias.fill_(1.0)
x = torch.ones(1, 1, requires_grad=True)
handles = [
    hooks.register_module_forward_pre_hook(lambda m, args: print("pre", type(m).__name__)),
    hooks.register_module_forward_hook(lambda m, args, out: print("post", type(m).__name__, out.item())),
    hooks.register_module_full_backward_pre_hook(lambda m, go: print("backward pre", type(m).__name__)),
    hooks.register_module_full_backward_hook(lambda m, gi, go: print("backward", type(m).__name__, gi, go)),
    hooks.register_module_forward_hook(lambda m, a, kw, out: print("kw", kw), with_kwargs=True),
]
net[1].register_forward_hook(lambda m, args, out: print("own"))
net(x).backward()
try:
    hooks.register_module_backward_hook(print)
except RuntimeError as e:
    print(e)
for h in handles:
    h.remove()
net(x).backward()
handles = [
    hooks.register_module_parameter_registration_hook(lambda m, name, p: print("param", name, p is None)),
    hooks.register_module_buffer_registration_hook(lambda m, name, b: print("buffer", name, b is None)),
    hooks.register_module_module_registration_hook(lambda m, name, c: print("module", name, type(c).__name__)),
]
net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.BatchNorm1d(1))
net.more = nn.ReLU()
net.more = None
for h in handles:
    h.remove()
h = hooks.register_module_parameter_registration_hook(lambda m, name, p: nn.Parameter(p * 0 + 7))
print(nn.Linear(1, 1).weight)
h.remove()
