import torch
from torch.distributions import Beta, Dirichlet

torch.manual_seed(0)
b = Beta(torch.tensor([0.5, 2.0]), torch.tensor([0.5, 3.0]))
print(b, b.sample((3,)), b.mean, b.mode, b.variance, b.entropy())
print(b.log_prob(torch.tensor([0.3, 0.6])), b.concentration1, b.concentration0)
print(Beta(2.0, 3.0).sample((2,)), Beta(2, 3).batch_shape, b.expand((2, 2)).sample().shape)
c = torch.tensor([[0.5, 0.5, 0.5], [1.0, 2.0, 5.0]], requires_grad=True)
d = Dirichlet(c)
x = d.rsample()
print(d, d.event_shape, x)
x[:, 0].sum().backward()
print(c.grad)
print(d.mean, d.variance, d.mode, d.entropy(), d.log_prob(torch.tensor([0.2, 0.3, 0.5])))
p = torch.tensor([2.0, 3.0], requires_grad=True)
y = Beta(p[0], p[1]).rsample((4,))
y.sum().backward()
print(y, p.grad)
