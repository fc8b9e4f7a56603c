import torch
from torch import nn

torch.manual_seed(0)
bn = nn.BatchNorm1d(3)
print(bn)
print(list(bn.state_dict()), [n for n, _ in bn.named_parameters()], [n for n, _ in bn.named_buffers()])
x = torch.randn(5, 3, requires_grad=True)
y = bn(x)
print(y)
(y * torch.arange(15.0).view(5, 3)).sum().backward()
print(x.grad)
print(bn.weight.grad, bn.bias.grad)
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn.eval()
print(bn(x))
print(bn.num_batches_tracked)
bn.train()
bn(x.detach())
print(bn.running_mean, bn.num_batches_tracked)
bn.reset_running_stats()
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)

cumulative = nn.BatchNorm1d(2, momentum=None)
for i in range(3):
    cumulative(torch.arange(4.0).view(2, 2) * (i + 1))
print(cumulative, cumulative.running_mean, cumulative.running_var)
free = nn.BatchNorm1d(2, affine=False, track_running_stats=False)
print(free, free.weight, free.running_mean, list(free.state_dict()))
print(free.eval()(torch.arange(6.0).view(3, 2)))
print(nn.BatchNorm2d(2, eps=0.1)(torch.arange(16.0).view(2, 2, 2, 2)))
print(nn.BatchNorm3d(1, momentum=0.5)(torch.arange(8.0).view(1, 1, 2, 2, 2)).flatten())
print(nn.BatchNorm1d(2)(torch.arange(8.0).view(2, 2, 2)))
print(nn.SyncBatchNorm(2), nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2))))
for bad in (
    lambda: bn(torch.ones(3)), lambda: bn(torch.ones(2, 4)), lambda: nn.BatchNorm2d(2)(torch.ones(2, 2)),
    lambda: nn.BatchNorm3d(2)(torch.ones(1, 2, 2, 2)), lambda: nn.BatchNorm1d(3)(torch.ones(1, 3)),
    lambda: nn.BatchNorm1d(0)(torch.ones(2, 2)), lambda: nn.BatchNorm1d(),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
