import torch
from torch.distributions import Uniform

torch.manual_seed(0)
d = Uniform(torch.tensor([0.0, -1.0]), torch.tensor([5.0, 1.0]))
print(d, d.support, d.sample((2,)), d.mean, d.variance, d.stddev, d.mode, d.entropy())
low = torch.tensor(1.0, requires_grad=True)
high = torch.tensor(3.0, requires_grad=True)
u = Uniform(low, high)
x = u.rsample((3,))
x.sum().backward()
print(x, low.grad, high.grad)
v = torch.tensor([1.0, 2.0, 3.0])
print(Uniform(1.0, 3.0).log_prob(v), Uniform(1.0, 3.0).cdf(v), Uniform(1.0, 3.0).icdf(torch.tensor([0.0, 0.25, 1.0])))
try:
    u.log_prob(torch.tensor(4.0))
except ValueError as e:
    print(e)
print(u.expand((2, 2)), Uniform(0, 1).sample())
