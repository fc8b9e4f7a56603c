import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.register_parameter("shift", None)
        self.register_buffer("count", torch.zeros(2))
        self.register_buffer("cache", torch.ones(1), persistent=False)
        self.layer = nn.Linear(2, 2, bias=False)
        self.name = "net"
        self.plain = torch.arange(3.0)


torch.manual_seed(0)
net = Net()
print(list(net._parameters), list(net._buffers), list(net._modules))
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()])
print(net.shift, net.name, net.plain, net._non_persistent_buffers_set)
print("scale" in vars(net), "name" in vars(net), hasattr(net, "nothing"))
net.shift = nn.Parameter(torch.ones(2))
net.count = torch.full((2,), 3.0)
print([n for n, _ in net.named_parameters()], net.count, net._buffers["count"])
net.shift = None
print(net.shift, len(list(net.parameters())))
net.layer = nn.ReLU()
print(net)
net.plain = nn.Parameter(net.plain)
print([n for n, _ in net.named_parameters()], "plain" in vars(net))
del net.scale, net.cache, net.layer, net.name
print(list(net._parameters), list(net._buffers), list(net._modules), net._non_persistent_buffers_set)
for name in ("scale", "layer", "name"):
    try:
        getattr(net, name)
    except AttributeError as e:
        print(e)
try:
    del net.missing
except AttributeError as e:
    print(type(e).__name__)
