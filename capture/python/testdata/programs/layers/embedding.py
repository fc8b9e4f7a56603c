import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
e = nn.Embedding(5, 3)
print(e)
print(e.weight)
ids = torch.tensor([[0, 2], [2, 4]])
y = e(ids)
print(y)
y.sum().backward()
print(e.weight.grad)
padded = nn.Embedding(4, 2, padding_idx=-1)
print(padded, padded.padding_idx, padded.weight)
padded(torch.tensor([0, 3, 3])).pow(2).sum().backward()
print(padded.weight.grad)
clipped = nn.Embedding(3, 2, max_norm=0.5, norm_type=1.0, scale_grad_by_freq=True)
print(clipped)
before = clipped.weight.detach().clone()
out = clipped(torch.tensor([1, 1, 2]))
print(out, clipped.weight.detach()[0].equal(before[0]), clipped.weight.detach()[1:].norm(1, dim=1))
out.sum().backward()
print(clipped.weight.grad)
frozen = nn.Embedding.from_pretrained(torch.arange(6.0).view(3, 2))
tuned = nn.Embedding.from_pretrained(torch.arange(6.0).view(3, 2), freeze=False, padding_idx=0)
print(frozen, frozen.weight.requires_grad, tuned, tuned.weight.requires_grad, frozen(torch.tensor(2)))
print(F.embedding(torch.tensor([1]), e.weight, padding_idx=1), F.one_hot(torch.tensor([2, 0]), 4), F.one_hot(ids).shape)
for bad in (
    lambda: e(torch.tensor([5])), lambda: e(torch.tensor([-1])), lambda: e(torch.tensor([0.5])), lambda: nn.Embedding(3, 2, padding_idx=3),
    lambda: nn.Embedding(3, 2, padding_idx=-4), lambda: nn.Embedding.from_pretrained(torch.ones(3)), lambda: nn.Embedding(3, 2, _weight=torch.ones(2, 2)),
    lambda: F.embedding(ids, e.weight, padding_idx=7), lambda: F.one_hot(torch.tensor([3]), 2), lambda: F.one_hot(torch.tensor([0.5])), lambda: F.embedding(ids, torch.ones(2)),
):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__, err)
