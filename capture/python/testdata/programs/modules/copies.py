import copy
import io
import pickle

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
net[0].note = [1]
hook = net[0].register_forward_hook(print)
hook.remove()
deep = copy.deepcopy(net)
print(deep[0].weight is net[0].weight, torch.equal(deep[0].weight, net[0].weight), deep[0].note is net[0].note)
shallow = copy.copy(net)
print(shallow[0] is net[0], shallow._modules is net._modules, type(shallow).__name__)
shared = nn.Linear(2, 2)
both = copy.deepcopy(nn.ModuleList([shared, shared]))
print(both[0] is both[1], both[0].weight is both[1].weight)
net(torch.randn(3, 2)).exp().sum().backward()
print(copy.deepcopy(net)[0].weight.grad is None)
net.zero_grad()
again = pickle.loads(pickle.dumps(net))
print(again)
print(torch.equal(again[0].weight, net[0].weight), again[0].weight.requires_grad, again.training, again[0].note)
print(type(again[0].weight), again[1].num_batches_tracked)
x = torch.ones(1, 2)
net.eval(), again.eval()
print(torch.equal(net(x), again(x)))
net[0].register_forward_pre_hook(len)
deep = copy.deepcopy(net)
print(len(deep[0]._forward_pre_hooks), deep[0]._forward_pre_hooks is net[0]._forward_pre_hooks)
net.cache = net[0].weight * 2
try:
    copy.deepcopy(net)
except RuntimeError as e:
    print(e)
