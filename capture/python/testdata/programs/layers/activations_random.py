import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor([-3.0, -2.0, -1.0, 1.0], requires_grad=True)
layer = nn.RReLU(0.1, 0.9)
print(layer, layer.training)
y = layer(x)
print(y)
y.sum().backward()
print(x.grad)
print(layer.eval()(x))
print(F.rrelu(x, 0.2, 0.4), F.rrelu(x, 0.2, 0.4, training=True))
prelu = nn.PReLU()
print(prelu, prelu.weight, list(prelu.state_dict()))
x.grad = None
prelu(x).sum().backward()
print(prelu.weight.grad, x.grad)
channels = nn.PReLU(num_parameters=3, init=0.5)
z = torch.randn(2, 3, 2, requires_grad=True)
channels(z).pow(2).sum().backward()
print(channels, channels.weight.grad, z.grad)
logits = torch.randn(2, 4, requires_grad=True)
soft = F.gumbel_softmax(logits, tau=0.5)
hard = F.gumbel_softmax(logits, tau=1, hard=True)
print(soft, soft.sum(-1))
print(hard)
(hard * torch.arange(4.0)).sum().backward()
print(logits.grad)
print(F.gumbel_softmax(logits.detach(), hard=True, dim=0, eps=1e-5).sum(0))
for bad in (lambda: channels(torch.randn(2, 4)), lambda: nn.PReLU(2)(torch.tensor(1.0)), lambda: F.rrelu(x, 0.5, 0.1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
