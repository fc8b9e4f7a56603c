import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.rand(3, 4), torch.rand(3, 4)
sign = torch.tensor([[1.0, -1, 1, 1], [-1, -1, 1, -1], [1, 1, 1, -1]])
labels = torch.tensor([1, 0, 3])
losses = [
    (nn.L1Loss, (x, y)), (nn.MSELoss, (x, y)), (nn.SmoothL1Loss, (x, y)), (nn.HuberLoss, (x, y)), (nn.BCELoss, (x, y)), (nn.BCEWithLogitsLoss, (x, y)), (nn.SoftMarginLoss, (x, sign)), (nn.HingeEmbeddingLoss, (x, sign)),
    (nn.PoissonNLLLoss, (x, y)), (nn.KLDivLoss, (x.log(), y)), (nn.CrossEntropyLoss, (x, labels)), (nn.NLLLoss, (x.log(), labels)), (nn.MultiMarginLoss, (x, labels)), (nn.MultiLabelSoftMarginLoss, (x, y.round())),
    (nn.MarginRankingLoss, (x, y, sign)), (nn.CosineEmbeddingLoss, (x, y, sign[:, 0])), (nn.TripletMarginLoss, (x, y, x.flip(0))), (nn.GaussianNLLLoss, (x, y, torch.ones(3, 4))),
]
for cls, inputs in losses:
    none = cls(reduction="none")(*inputs)
    mean, total = cls(reduction="mean")(*inputs), cls(reduction="sum")(*inputs)
    print(cls.__name__, cls(), tuple(none.shape), mean, total, torch.allclose(none.sum(), total), torch.allclose(none.mean(), mean))
    try:
        print(cls(reduction="median")(*inputs).shape)
    except Exception as e:
        print(type(e).__name__, e)
