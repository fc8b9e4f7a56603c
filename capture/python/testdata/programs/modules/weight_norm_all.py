import torch
from torch import nn
from torch.nn.utils import weight_norm
from torch.nn.utils.parametrizations import weight_norm as parametrized

torch.manual_seed(0)


def names(node):
    return [] if node is None else [node.name()] + [n for f, _ in node.next_functions for n in names(f)]


layer = weight_norm(nn.Linear(3, 2), dim=None)
print(layer.weight_g, names(layer.weight.grad_fn))
layer(torch.ones(1, 3)).sum().backward()
print(layer.weight_g.grad, layer.weight_v.grad)
layer = parametrized(nn.Linear(3, 2), dim=None)
print(layer.parametrizations.weight.original0, names(layer.weight.grad_fn))
layer(torch.ones(1, 3)).pow(2).sum().backward()
print(layer.parametrizations.weight.original1.grad)
