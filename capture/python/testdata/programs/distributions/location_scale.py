import torch
from torch.distributions import Cauchy, Laplace

torch.manual_seed(0)
v = torch.tensor([0.2, 0.7])
for cls in (Laplace, Cauchy):
    loc = torch.tensor([0.0, 1.0], requires_grad=True)
    scale = torch.tensor([1.0, 2.0], requires_grad=True)
    d = cls(loc, scale)
    print(d, d.mean, d.variance, d.stddev, d.mode, d.entropy())
    x = d.rsample((2,))
    x.sum().backward()
    print(x, loc.grad, scale.grad)
    print(d.log_prob(v), d.cdf(v), d.icdf(v), d.support)
    print(d.expand((3, 2)).sample().shape, cls(0.0, 1.0).sample((3,)))
