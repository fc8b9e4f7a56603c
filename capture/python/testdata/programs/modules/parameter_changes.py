import copy
import pickle

import torch
from torch import nn

torch.manual_seed(0)
p = nn.Parameter(torch.ones(2, 2))
print(p.T.is_leaf, type(p.view(-1)).__name__, p.detach().requires_grad)
p.data = torch.zeros(3)
p.data[0] = 5
print(p, p.shape)
p.grad = torch.ones(3)
print(p.grad)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: setattr(p, "grad", torch.ones(2)))
attempt(lambda: setattr(p, "grad", 3))
attempt(lambda: setattr(p, "data", 3))
p.requires_grad = False
del p.grad
print(p, p.grad)
print(isinstance(copy.copy(p), nn.Parameter), isinstance(p.clone(), nn.Parameter))
print(hash(p) == id(p), {p: 1}[p], issubclass(nn.Parameter, torch.Tensor))
p.extra = 3
q = pickle.loads(pickle.dumps(p))
print(type(q), q.extra, q)
m = nn.Linear(2, 2)
view = m.weight.detach().view(-1)
m.double()
print(view.dtype, m.weight.dtype, m.weight._version)
m.weight.data.add_(1)
print(m.weight._version)
with torch.no_grad():
    m.weight.add_(1)
print(m.weight._version)
for setter in ("set_overwrite_module_params_on_conversion", "set_swap_module_params_on_conversion"):
    getattr(torch.__future__, setter)(True)
    m = nn.Linear(1, 1, bias=False)
    m(torch.ones(1)).backward()
    w, g = m.weight, m.weight.grad
    m.double()
    print(m.weight is w, w.dtype, m.weight.grad is g, g.dtype)
    getattr(torch.__future__, setter)(False)
a, b = torch.ones(2), nn.Parameter(torch.zeros(3))
torch.utils.swap_tensors(a, b)
print(a, b, type(a).__name__)
with torch.inference_mode():
    frozen = nn.Linear(1, 1)
print(frozen.weight.is_inference(), frozen.weight.requires_grad)
frozen.bias.add_(1)
