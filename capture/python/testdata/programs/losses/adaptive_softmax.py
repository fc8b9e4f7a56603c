import torch
from torch import nn

torch.manual_seed(0)
layer = nn.AdaptiveLogSoftmaxWithLoss(8, 10, cutoffs=[3, 6], div_value=2.0)
print(layer)
print({k: tuple(v.shape) for k, v in layer.state_dict().items()})
x = torch.randn(5, 8, requires_grad=True)
target = torch.tensor([0, 4, 9, 2, 6])
out = layer(x, target)
print(type(out).__name__, out)
output, loss = out
loss.backward()
print(x.grad)
print(layer.head.weight.grad[:2], layer.tail[1][1].weight.grad)
log_prob = layer.log_prob(x)
print(log_prob.shape, log_prob.exp().sum(1), log_prob.gather(1, target[:, None]).squeeze(1), log_prob.grad_fn.name())
print(layer.predict(x), layer.predict(torch.zeros(2, 8)))
print(layer(x[0], torch.tensor(1)))
for bad in (
    lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, []), lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 3]), lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 3]), lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [3, 10]), lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [0, 3]),
    lambda: layer(x, target[:3]), lambda: layer(x, target + 5), lambda: layer(x, target[:, None]), lambda: layer(x[0], target[:1]), lambda: layer(x, torch.tensor(1)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
