import torch
from torch.distributions import Gumbel, HalfCauchy, HalfNormal, Kumaraswamy, LogisticNormal, LogNormal

torch.manual_seed(0)
v = torch.tensor([0.3, 0.8])
for d in (
    HalfNormal(torch.tensor([1.0, 2.0])),
    HalfCauchy(torch.tensor([1.0, 2.0])),
    LogNormal(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.5])),
    Gumbel(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0])),
    Kumaraswamy(torch.tensor([2.0, 0.5]), torch.tensor([3.0, 1.0])),
):
    print(d, d.batch_shape, d.support, d.has_rsample)
    print(d.rsample((2,)), d.log_prob(v), d.cdf(v), d.icdf(v))
    print(d.mean, d.mode, d.variance, d.stddev, d.entropy())
    print(d.expand((3, 2)).sample().shape, d.expand((3, 2)))
g = LogisticNormal(torch.zeros(2), torch.ones(2))
x = g.sample((2,))
print(g, x, x.sum(-1), g.log_prob(x), g.event_shape, LogisticNormal(0.0, 1.0).event_shape)
print(HalfNormal(1.0).log_prob(torch.tensor(0.0)))
try:
    HalfNormal(1.0).log_prob(torch.tensor(-1.0))
except ValueError as e:
    print(e)
