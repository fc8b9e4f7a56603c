import torch
from torch.distributions import Exponential, Weibull, Pareto

torch.manual_seed(0)
rate = torch.tensor([0.5, 2.0], requires_grad=True)
d = Exponential(rate)
x = d.rsample((3,))
x.sum().backward()
print(d, x, rate.grad)
print(d.mean, d.mode, d.variance, d.stddev, d.entropy(), d.log_prob(torch.tensor([1.0, 2.0])))
print(d.cdf(torch.tensor([1.0, 2.0])), d.icdf(torch.tensor([0.1, 0.9])))
w = Weibull(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 0.5]))
print(w, w.sample((2,)), w.mean, w.mode, w.variance, w.entropy(), w.log_prob(torch.tensor([1.0, 2.0])))
print(w.expand((3, 2)), w.expand((3, 2)).sample().shape)
p = Pareto(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 1.5]))
print(p, p.support, p.sample((2,)), p.mean, p.mode, p.variance, p.entropy(), p.log_prob(torch.tensor([1.5, 2.0])))
print(p.cdf(torch.tensor([1.5, 2.5])), p.icdf(torch.tensor([0.5, 0.5])))
