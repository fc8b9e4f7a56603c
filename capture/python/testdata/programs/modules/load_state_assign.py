import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
old = net.weight
state = {"weight": torch.full((2, 2), 3.0), "bias": nn.Parameter(torch.zeros(2), requires_grad=False)}
print(net.load_state_dict(state, assign=True))
print(net.weight is old, type(net.weight).__name__, net.weight.requires_grad, net.bias.requires_grad)
print(net.bias is state["bias"], net.weight.data_ptr() == state["weight"].data_ptr())
net.weight.requires_grad_(False)
net.load_state_dict({"weight": torch.ones(2, 2, dtype=torch.float64), "bias": torch.ones(2)}, assign=True)
print(net.weight.dtype, net.weight.requires_grad, net.bias)
bn = nn.BatchNorm1d(2)
bn.load_state_dict({k: v + 1 for k, v in bn.state_dict().items()}, assign=True)
print(bn.running_mean, bn.num_batches_tracked, bn.weight)
try:
    bn.load_state_dict({"weight": torch.ones(3)}, assign=True)
except RuntimeError as e:
    print(e)
