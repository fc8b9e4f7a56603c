import torch
from torch import nn
from torch.nn.utils import parametrizations, prune, spectral_norm, weight_norm

torch.manual_seed(0)


def show(name, out):
    print(name)

    def walk(node, depth):
        print("  " * depth + type(node).__name__)
        for below, _ in node.next_functions:
            if below is not None:
                walk(below, depth + 1)

    walk(out.grad_fn, 1)


hooked = nn.Linear(2, 1)
hooked.register_full_backward_hook(lambda *args: None)
hooked.register_forward_hook(lambda m, args, out: out * 2)
show("backward hook", hooked(torch.ones(1, 2, requires_grad=True)))
show("weight_norm", parametrizations.weight_norm(nn.Conv1d(1, 1, 2), dim=2)(torch.ones(1, 1, 3)))
show("old weight_norm", weight_norm(nn.Conv2d(2, 3, 2), dim=1)(torch.ones(1, 2, 3, 3)))
show("spectral_norm", parametrizations.spectral_norm(nn.Linear(2, 2))(torch.ones(1, 2)))
show("old spectral_norm", spectral_norm(nn.Linear(2, 2))(torch.ones(1, 2)))
show("householder", parametrizations.orthogonal(nn.Linear(3, 2))(torch.ones(1, 3)))
show("cayley", parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="cayley")(torch.ones(1, 2)))
show("pruned", prune.l1_unstructured(nn.Linear(2, 2), "weight", 1)(torch.ones(1, 2)))
show("vector", nn.utils.parameters_to_vector(nn.Linear(1, 2).parameters()))
