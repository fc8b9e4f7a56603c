import torch
from torch import nn
from torch.nn.utils import parametrizations, remove_spectral_norm, spectral_norm

torch.manual_seed(0)
m = spectral_norm(nn.Linear(3, 2))
print(m, [n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()])
x = torch.randn(2, 3)
for _ in range(3):
    y = m(x)
print(y, torch.linalg.matrix_norm(m.weight, 2))
y.sum().backward()
print(m.weight_orig.grad, m.weight.grad_fn)
print(list(m.state_dict()), m.state_dict()._metadata[""])
m.eval()
print(torch.equal(m(x), m(x)))
for bad in (lambda: spectral_norm(m), lambda: spectral_norm(nn.Linear(2, 2), n_power_iterations=0)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
other = spectral_norm(nn.Linear(3, 2))
print(other.load_state_dict(m.state_dict()), torch.equal(other.eval()(x), m(x)))
remove_spectral_norm(m)
print([n for n, _ in m.named_parameters()], list(m.state_dict()))
try:
    remove_spectral_norm(m)
except ValueError as e:
    print(e)
p = parametrizations.spectral_norm(nn.Conv1d(2, 2, 2), n_power_iterations=2)
print(p, torch.linalg.svdvals(p.weight.flatten(1))[0])
p(torch.randn(1, 2, 4)).sum().backward()
print(p.parametrizations.weight.original.grad.shape, [n for n, _ in p.named_buffers()])
v = parametrizations.spectral_norm(nn.Linear(2, 2), "bias")
print(v.bias.norm())
for bad in (
    lambda: parametrizations.spectral_norm(nn.Linear(2, 2), "nothing"),
    lambda: parametrizations.spectral_norm(nn.Linear(2, 2), dim=5),
    lambda: parametrizations.spectral_norm(nn.Linear(2, 2), n_power_iterations=0),
):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
