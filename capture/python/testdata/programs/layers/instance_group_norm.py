import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(2, 4, 3, requires_grad=True)
for layer in (nn.InstanceNorm1d(4), nn.InstanceNorm1d(4, affine=True), nn.InstanceNorm1d(4, track_running_stats=True), nn.GroupNorm(2, 4), nn.GroupNorm(4, 4, affine=False), nn.GroupNorm(1, 4, eps=0.5)):
    print(layer)
    print(list(layer.state_dict()))
    x.grad = None
    y = layer(x)
    (y * torch.arange(24.0).view_as(y)).sum().backward()
    print(y)
    print(x.grad)
    print([(n, p.grad) for n, p in layer.named_parameters()])
tracked = nn.InstanceNorm2d(2, track_running_stats=True)
tracked(torch.arange(16.0).view(2, 2, 2, 2))
print(tracked.running_mean, tracked.running_var, tracked.num_batches_tracked)
print(tracked.eval()(torch.ones(2, 2, 2)))
print(nn.InstanceNorm3d(1)(torch.arange(8.0).view(1, 2, 2, 2)).flatten())
print(nn.InstanceNorm2d(2)(torch.arange(8.0).view(2, 2, 2)))
print(nn.InstanceNorm1d(3)(torch.arange(8.0).view(1, 2, 4)))
for bad in (
    lambda: nn.InstanceNorm1d(3, affine=True)(torch.ones(1, 2, 4)), lambda: nn.InstanceNorm1d(2)(torch.ones(2)),
    lambda: nn.InstanceNorm2d(2)(torch.ones(2, 2)), lambda: nn.InstanceNorm3d(2)(torch.ones(2, 2, 2)),
    lambda: nn.InstanceNorm1d(2)(torch.ones(1, 2, 1)), lambda: nn.GroupNorm(3, 4), lambda: nn.GroupNorm(2, 4)(torch.ones(2, 3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
