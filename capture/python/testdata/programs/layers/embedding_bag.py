import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
ids = torch.tensor([1, 2, 4, 5, 4, 3, 2, 9])
offsets = torch.tensor([0, 4])
for mode in ("sum", "mean", "max"):
    bag = nn.EmbeddingBag(10, 3, mode=mode)
    print(bag)
    y = bag(ids, offsets)
    print(y, y.grad_fn.name())
    (y * torch.arange(6.0).view(2, 3)).sum().backward()
    print(bag.weight.grad)
    print(bag(ids.view(2, 4)).shape, bag(torch.tensor([], dtype=torch.long), torch.tensor([0, 0])))
padded = nn.EmbeddingBag(10, 3, padding_idx=2, mode="sum", include_last_offset=True)
print(padded, padded.weight[2])
print(padded(ids, torch.tensor([0, 2, 8])))
weights = torch.rand(8, requires_grad=True)
weighted = nn.EmbeddingBag.from_pretrained(torch.arange(30.0).view(10, 3), mode="sum", freeze=False)
out = weighted(ids, offsets, per_sample_weights=weights)
out.sum().backward()
print(out, weights.grad, weighted.weight.grad[:5])
print(F.embedding_bag(ids, bag.weight, offsets, mode="mean"), nn.EmbeddingBag(4, 2, max_norm=1.0, norm_type=1, scale_grad_by_freq=True))
for bad in (
    lambda: bag(ids), lambda: bag(ids.view(2, 4), offsets), lambda: bag(ids, torch.tensor([1, 4])), lambda: bag(ids, torch.tensor([0, 9])),
    lambda: bag(ids, offsets, per_sample_weights=weights), lambda: nn.EmbeddingBag(3, 2, padding_idx=5), lambda: bag(ids.float(), offsets),
    lambda: nn.EmbeddingBag(3, 2, mode="min")(torch.tensor([[1]])), lambda: bag(torch.tensor(3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
