import torch
from torch import nn
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

torch.manual_seed(0)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


u = UninitializedParameter()
print(u, u.dtype, u.device, u.requires_grad, u.is_leaf, u.grad, u.data)
attempt(lambda: u + 1)
attempt(lambda: u.sum())
attempt(lambda: u.dim())
attempt(lambda: u[0])
attempt(lambda: u.shape)
attempt(lambda: u.share_memory_())
attempt(lambda: nn.functional.linear(torch.ones(2), u))
print(u.size(), u.to(torch.float64).dtype)
u.materialize((2, 3))
print(type(u).__name__, u.shape, u.requires_grad)
b = UninitializedBuffer()
print(b, b.requires_grad, isinstance(b, nn.Buffer))
attempt(lambda: b * 2)
b.materialize((1,))
print(type(b), b.shape)
del u, b
lazy = nn.LazyLinear(2)
attempt(lambda: sum(p.numel() for p in lazy.parameters()))
attempt(lambda: lazy.share_memory())
print(lazy.double().weight.dtype, lazy(torch.ones(1, 3, dtype=torch.float64)).shape, lazy)
attempt(lambda: nn.utils.spectral_norm(nn.LazyLinear(2)))
full = nn.Linear(2, 2)
full.load_state_dict(nn.LazyLinear(2).state_dict())
