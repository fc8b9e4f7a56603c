import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
w = net[0].weight
net(torch.ones(3, 2)).sum().backward()
for convert in ("double", "half", "bfloat16", "float"):
    getattr(net, convert)()
    print(convert, net[0].weight.dtype, net[0].weight is w, w.grad.dtype, net[1].running_mean.dtype, net[1].num_batches_tracked.dtype)
net.to(torch.float64)
print(net[0].bias.dtype, net[1].num_batches_tracked.dtype)
print(net.to("cpu") is net, net.to(torch.ones(1)).state_dict()["0.weight"].dtype)
print(net.to(device="cpu", dtype=torch.float64)[0].weight.dtype)
print(net.to(torch.device("cpu"), torch.float32, non_blocking=True)[0].weight.dtype)
print(net.type(torch.float64)[1].num_batches_tracked.dtype)
print(net.cpu() is net, net.train(False) is net)
for bad in ((torch.int64,), ("gpu",), (3.5, 2, 1), ([1],)):
    try:
        net.to(*bad)
    except Exception as e:
        print(type(e).__name__, e)
try:
    net.to(dtypo=torch.float32)
except TypeError as e:
    print(e)
w = nn.Linear(3, 3).to_empty(device="cpu").weight
print(w.shape, w.requires_grad)
del w
