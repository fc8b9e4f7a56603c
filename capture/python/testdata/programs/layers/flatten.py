import torch
from torch import nn

torch.manual_seed(0)
x = torch.arange(24.0).view(2, 3, 4)
print(nn.Flatten(), nn.Flatten()(x).shape, nn.Flatten(0), nn.Flatten(0, 1)(x).shape, nn.Flatten(start_dim=0, end_dim=-2))
print(nn.Unflatten(1, (3, 1)), nn.Unflatten(2, (2, -1))(x).shape, nn.Unflatten(1, torch.Size([1, 3]))(x).shape, nn.Unflatten(-1, [2, 2])(x).shape)
model = nn.Sequential(nn.Flatten(), nn.Linear(12, 6), nn.Unflatten(1, (2, 3)))
print(model, model(x).shape)
view = nn.Flatten()(x)
view[0, 0] = 100
print(x[0, 0, 0], view._base is x)
for bad in (
    lambda: nn.Unflatten(1, 3), lambda: nn.Unflatten(1, (2.0, 1)), lambda: nn.Unflatten(1.5, (2, 1)), lambda: nn.Unflatten("a", (2, 3)),
    lambda: nn.Unflatten("a", [("b", 2)]), lambda: nn.Unflatten(1, (2, 2))(x), lambda: nn.Flatten(2, 1)(x), lambda: nn.Flatten(3)(x),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
