import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
for layer, shape in (
    (nn.Dropout(0.4), (2, 5)), (nn.Dropout1d(0.5), (2, 3, 2)), (nn.Dropout2d(0.5), (1, 4, 1, 2)), (nn.Dropout3d(0.5), (1, 4, 1, 1, 2)),
    (nn.AlphaDropout(0.3), (2, 4)), (nn.FeatureAlphaDropout(0.5), (1, 4, 2)), (nn.Dropout(0), (3,)), (nn.Dropout(1.0), (3,)),
):
    x = torch.ones(shape, requires_grad=True)
    print(layer)
    y = layer(x)
    print(y)
    y.sum().backward()
    print(x.grad)
    layer.eval()
    print(torch.equal(layer(x), x), layer(x) is x)
print(nn.Dropout(inplace=True), nn.Dropout(p=0.25).p)
x = torch.ones(4)
print(F.dropout(x, 0.5), F.dropout(x, training=False) is x, F.dropout(x, 0.5, inplace=True) is x, x)
print(F.alpha_dropout(torch.ones(3), 0.5, training=True), F.feature_alpha_dropout(torch.ones(1, 3), 0.5), F.dropout1d(torch.ones(3, 2)))
for bad in (lambda: nn.Dropout(1.5), lambda: nn.Dropout2d(-0.1), lambda: F.dropout(x, 1.25), lambda: F.dropout3d(x, -0.5), lambda: nn.Dropout1d()(torch.ones(2)), lambda: nn.Dropout("a")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(F.dropout2d(torch.ones(2, 3), 0.5).shape, F.dropout2d(torch.ones(2, 3, 2), 0.0).shape, F.dropout3d(torch.ones(2, 3), 0.0).shape)
