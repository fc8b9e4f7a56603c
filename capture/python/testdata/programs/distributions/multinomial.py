import torch
from torch.distributions import Multinomial

torch.manual_seed(0)
m = Multinomial(10, torch.tensor([1.0, 1.0, 2.0]))
x = m.sample((3,))
print(m, m.event_shape, m.support, x, m.log_prob(x))
print(m.mean, m.variance, m.probs, m.logits, m.entropy())
n = Multinomial(4, logits=torch.zeros(2, 3))
print(n, n.sample().sum(-1), n.expand((5, 2)).sample().shape)
try:
    m.log_prob(torch.tensor([10.0, 1.0, 0.0]))
except ValueError as e:
    print(e)
