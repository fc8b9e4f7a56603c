import copy

import torch


def make():
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 2)
    return layer, torch.optim.Adam([{"params": [layer.weight]}, {"params": [layer.bias], "lr": 0.5}], lr=0.1)


def step(layer, opt):
    opt.zero_grad()
    layer(torch.ones(3, 2)).pow(2).sum().backward()
    opt.step()


layer, opt = make()
print(opt.state_dict())
step(layer, opt)
saved = copy.deepcopy(opt.state_dict())
print(saved)
weights = copy.deepcopy(layer.state_dict())
step(layer, opt)
other, opt2 = make()
other.load_state_dict(weights)
opt2.load_state_dict(saved)
step(other, opt2)
print(torch.equal(layer.weight, other.weight), torch.equal(layer.bias, other.bias))
print(opt2.param_groups[1]["lr"], opt2.state[other.bias]["step"])
bad = copy.deepcopy(saved)
bad["param_groups"].pop()
for state in (bad, {"state": {}, "param_groups": [{"params": [0, 1]}, {"params": [2]}]}):
    try:
        opt2.load_state_dict(state)
    except ValueError as e:
        print(e)
d = torch.zeros(2, dtype=torch.double, requires_grad=True)
o = torch.optim.Adam([d])
d.grad = torch.ones_like(d)
o.step()
print({k: v.dtype for k, v in o.state[d].items()})
f = torch.zeros(2, requires_grad=True)
o2 = torch.optim.Adam([f])
o2.load_state_dict(o.state_dict())
print({k: v.dtype for k, v in o2.state[f].items()})
