import torch
from torch.distributions import Binomial, Geometric, NegativeBinomial, Poisson

torch.manual_seed(0)
d = Poisson(torch.tensor([0.5, 4.0, 30.0]))
print(d, d.sample((3,)), d.mean, d.mode, d.variance, d.log_prob(torch.tensor([0.0, 3.0, 31.0])))
g = Geometric(torch.tensor([0.2, 0.7]))
print(g, g.sample((4,)), g.mean, g.variance, g.mode, g.entropy(), g.log_prob(torch.tensor([0.0, 2.0])))
b = Binomial(10, torch.tensor([0.0, 0.2, 0.8, 1.0]))
print(b, b.sample((3,)), b.mean, b.mode, b.variance, b.log_prob(torch.tensor([0.0, 2.0, 8.0, 10.0])))
print(b.support, Binomial(2, torch.tensor([0.3])).enumerate_support(), Binomial(3, torch.tensor([0.3, 0.5])).entropy())
print(Binomial(torch.tensor([5.0, 100.0]), logits=torch.tensor([0.0, 1.0])).sample((2,)))
n = NegativeBinomial(torch.tensor([5.0, 2.5]), torch.tensor([0.5, 0.3]))
print(n, n.sample((3,)), n.mean, n.mode, n.variance, n.log_prob(torch.tensor([1.0, 0.0])))
for f in (lambda: Binomial(torch.tensor([1.0, 2.0]), torch.tensor(0.5)).entropy(), lambda: Binomial(2, 0.5).log_prob(torch.tensor(3.0)), lambda: Poisson(1.0).log_prob(torch.tensor(0.5))):
    try:
        f()
    except (NotImplementedError, ValueError) as e:
        print(type(e).__name__, e)
