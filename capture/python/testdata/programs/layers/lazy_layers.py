import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
print(model)
print(model[0].weight, isinstance(model[4].weight, nn.UninitializedParameter), model[0].has_uninitialized_params())
try:
    model[4].weight.shape
except RuntimeError as e:
    print(str(e)[:60])
y = model(torch.randn(2, 1, 4, 4))
print(model)
print(y.shape, type(model[4].weight), {k: tuple(v.shape) for k, v in model.state_dict().items()})
lazy = nn.LazyConvTranspose1d(2, 3, bias=False)
print(lazy, lazy(torch.ones(1, 5, 4)).shape, lazy)
norm = nn.LazyInstanceNorm1d(affine=True)
norm(torch.randn(1, 3, 4))
print(norm, type(norm).__name__)
fresh = nn.LazyLinear(3)
fresh.load_state_dict(nn.Linear(5, 3).state_dict())
print(fresh.weight.shape, fresh)
print(fresh(torch.ones(5)).shape, fresh)
print(nn.LazyConv1d(2, 2), nn.LazyConv3d(2, 2), nn.LazyConvTranspose2d(2, 2), nn.LazyConvTranspose3d(2, 2), nn.LazyBatchNorm1d(), nn.LazyBatchNorm3d(), nn.LazyInstanceNorm2d(), nn.LazyInstanceNorm3d())
nn.LazyConv2d(2, 2)(torch.ones(2, 2))
