import torch
from torch.distributions import Bernoulli

torch.manual_seed(0)
p = torch.tensor([0.1, 0.5, 0.9], requires_grad=True)
d = Bernoulli(p)
print(d, d.logits, d.sample((4,)), d.sample().requires_grad)
print(d.mean, d.variance, d.mode, d.entropy(), d.enumerate_support(), d.enumerate_support(expand=False))
lp = d.log_prob(torch.tensor([1.0, 0.0, 1.0]))
print(lp)
lp.sum().backward()
print(p.grad)
e = Bernoulli(logits=torch.tensor([[0.0, 1.0], [-3.0, 30.0]]))
print(e, e.probs, e.param_shape, e)
print(e.log_prob(torch.ones(2, 2)), e.expand((3, 2, 2)).sample().shape)
print(Bernoulli(0.3).sample((5,)), Bernoulli(torch.tensor([0.0, 1.0])).log_prob(torch.tensor([0.0, 1.0])))
