import torch
from torch.distributions import Bernoulli, Independent, Normal

torch.manual_seed(0)
base = Normal(torch.zeros(3, 2), torch.ones(3, 2))
d = Independent(base, 1)
print(d, d.batch_shape, d.event_shape, d.support, d.has_rsample)
x = d.sample((2,))
print(x.shape, d.log_prob(x), d.entropy(), d.mean.shape, d.variance.shape)
full = Independent(base, 2)
print(full.batch_shape, full.log_prob(torch.zeros(3, 2)), full.expand((4,)).batch_shape)
print(Independent(Bernoulli(torch.tensor([0.5])), 0).has_enumerate_support)
for f in (lambda: Independent(base, 3), lambda: Independent(Bernoulli(torch.tensor([0.5])), 1).enumerate_support(), lambda: d.log_prob(torch.zeros(3, 3))):
    try:
        f()
    except (ValueError, NotImplementedError) as e:
        print(type(e).__name__, e)
