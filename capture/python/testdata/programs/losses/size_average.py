import warnings

import torch
from torch import nn
import torch.nn.functional as F

x, t = torch.tensor([1.0, 2.0, 4.0]), torch.zeros(3)
for options in ({"size_average": False}, {"size_average": True}, {"reduce": False}, {"reduce": True}, {"size_average": True, "reduce": False}, {"size_average": False, "reduce": True}):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loss = nn.MSELoss(**options)
        value = F.l1_loss(x, t, **options)
    print(options, loss.reduction, loss(x, t), value, [(w.category.__name__, str(w.message)) for w in caught])
print(nn.NLLLoss(size_average=False).reduction, nn.CrossEntropyLoss(reduce=False).reduction, nn.BCELoss(None, False).reduction, nn.KLDivLoss(reduction="batchmean").reduction)
