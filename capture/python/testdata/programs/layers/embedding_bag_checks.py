import torch
import torch.nn as nn
import torch.nn.functional as F

weight = torch.arange(30.0).view(10, 3)
inside, outside = torch.tensor([[1, 8]]), torch.tensor([[11, -1]])


def attempt(name, *args, **kwargs):
    try:
        print(name, F.embedding_bag(*args, **kwargs))
    except RuntimeError as e:
        print(name, "->", e)


for mode in ("sum", "mean", "max"):
    for padding in (None, 0):
        attempt(f"{mode} {padding}", outside, weight, mode=mode, padding_idx=padding)
attempt("double", outside, weight.double(), mode="sum")
attempt("weighted", inside, weight, mode="sum", per_sample_weights=torch.tensor([[1.0, 0.5]]))
attempt("double weights", inside, weight, mode="sum", per_sample_weights=torch.ones(1, 2).double())

indices = torch.tensor([0, 1, 2, 3])
for mode in ("sum", "mean", "max"):
    for padding in (None, 7):
        if (mode, padding) == ("mean", None):
            continue
        for offsets in ([0, 3, 3], [0, 2, 3], [0, 0, 4]):
            bag = nn.EmbeddingBag.from_pretrained(
                weight, mode=mode, include_last_offset=True, padding_idx=padding, freeze=False
            )
            result = bag(indices, torch.tensor(offsets))
            result.sum().backward()
            print(mode, padding, offsets, result.tolist())
            if (mode, padding) != ("sum", None):
                print(bag.weight.grad[:4, 0].tolist())
