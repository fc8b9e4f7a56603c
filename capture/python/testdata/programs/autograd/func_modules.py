import torch
from torch import nn
from torch.func import functional_call, grad, stack_module_state, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
x = torch.ones(4, 2)
params = {name: torch.ones_like(p) for name, p in net.named_parameters()}
print(functional_call(net, params, (x,)))
print(functional_call(net, {"0.bias": torch.zeros(3)}, x).shape)
before = net[0].weight.clone()
print(torch.equal(before, net[0].weight))


def loss(p, x):
    return functional_call(net, p, x).pow(2).sum()


g = grad(loss)(params, x)
print({k: v.shape for k, v in g.items()}, g["2.bias"])
models = [nn.Linear(2, 1) for _ in range(3)]
p, b = stack_module_state(models)
print({k: v.shape for k, v in p.items()}, b, p["weight"].requires_grad)
out = vmap(lambda p, x: functional_call(models[0], p, x), in_dims=(0, None))(p, x)
print(out.shape, torch.allclose(out[1], models[1](x)))
for run in (
    lambda: functional_call(net, {"missing": x}, x),
    lambda: functional_call(net, [params, params], x),
    lambda: stack_module_state([]),
    lambda: stack_module_state([nn.Linear(1, 1), nn.Tanh()]),
    lambda: functional_call(net, {}, x, strict=True),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
