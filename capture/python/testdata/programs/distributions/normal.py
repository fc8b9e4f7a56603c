import torch
from torch.distributions import Normal

torch.manual_seed(0)
d = Normal(0.0, 1.0)
print(d, d.batch_shape, d.event_shape, d.sample(), d.sample((2, 3)))
loc = torch.tensor([0.0, 1.0, -2.0], requires_grad=True)
scale = torch.tensor([1.0, 0.5, 2.0], requires_grad=True)
d = Normal(loc, scale)
print(d, d.mean, d.stddev, d.variance, d.mode)
x = d.rsample((2,))
print(x, x.grad_fn.name())
d.log_prob(x.detach()).sum().backward()
print(loc.grad, scale.grad)
loc.grad = None
x.sum().backward()
print(loc.grad)
v = torch.tensor([0.1, 0.5, 0.9])
print(d.cdf(v), d.icdf(v), d.entropy(), d.perplexity())
e = Normal(0.0, 1.0).expand([2, 2])
print(e, e.loc.stride(), e.sample().shape, e.log_prob(torch.zeros(2, 2)))
print(Normal(torch.zeros(2, 1), torch.ones(3)).batch_shape, Normal(torch.zeros(2, dtype=torch.double), 1).loc.dtype)
print(d.sample().requires_grad, d.has_rsample, d.support, d.arg_constraints)
