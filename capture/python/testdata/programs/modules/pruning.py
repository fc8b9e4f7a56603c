import torch
from torch import nn
from torch.nn.utils import prune

torch.manual_seed(0)
m = nn.Linear(4, 3)
prune.l1_unstructured(m, "weight", amount=0.5)
print([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], m.weight_mask)
print(m.weight, m.weight.grad_fn, prune.is_pruned(m), len(m._forward_pre_hooks))
m(torch.ones(1, 4)).sum().backward()
print(m.weight_orig.grad)
prune.random_unstructured(m, name="weight", amount=2)
print(m.weight_mask, type(list(m._forward_pre_hooks.values())[0]).__name__)
prune.ln_structured(m, "weight", amount=1, n=2, dim=0)
print(m.weight_mask, list(m.state_dict()))
prune.remove(m, "weight")
print(m.weight, prune.is_pruned(m), [n for n, _ in m.named_parameters()])
prune.random_structured(m, "weight", 0.5, dim=1)
print(m.weight_mask)
prune.custom_from_mask(m, "bias", torch.tensor([1, 0, 1]))
print(m.bias)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
prune.global_unstructured([(net[0], "weight"), (net[2], "weight")], pruning_method=prune.L1Unstructured, amount=0.4)
print(net[0].weight_mask, net[2].weight_mask)
print(prune.L1Unstructured(amount=0.5).prune(torch.tensor([1.0, -3.0, 0.5, 2.0])))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", 1.5))
attempt(lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", -1))
attempt(lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", 100))
attempt(lambda: prune.l1_unstructured(nn.Linear(2, 2), "weight", "half"))
attempt(lambda: prune.ln_structured(nn.Linear(2, 2), "bias", 1, n=2, dim=0))
attempt(lambda: prune.ln_structured(nn.Linear(2, 2), "weight", 1, n=2, dim=3))
attempt(lambda: prune.remove(nn.Linear(2, 2), "weight"))
attempt(lambda: prune.l1_unstructured(nn.Linear(2, 2), "nothing", 1))
attempt(lambda: prune.global_unstructured(3, prune.L1Unstructured, amount=1))
