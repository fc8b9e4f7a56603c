import torch
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

torch.manual_seed(0)
mix = Categorical(torch.tensor([0.3, 0.7]))
m = MixtureSameFamily(mix, Normal(torch.tensor([-1.0, 1.0]), torch.tensor([0.5, 0.2])))
print(m, m.batch_shape, m.event_shape, m.support)
x = m.sample((4,))
print(x, m.log_prob(x), m.cdf(x), m.mean, m.variance)
n = MixtureSameFamily(Categorical(torch.ones(3, 2)), Independent(Normal(torch.zeros(3, 2, 2), torch.ones(2)), 1))
y = n.sample((2,))
print(n.batch_shape, n.event_shape, y.shape, n.log_prob(y), n.mean, n.expand((5, 3)).sample().shape)
w = torch.zeros(2, requires_grad=True)
MixtureSameFamily(Categorical(logits=w), Normal(torch.tensor([0.0, 1.0]), 1.0)).log_prob(torch.tensor(0.2)).backward()
print(w.grad)
for a, b in ((Normal(0.0, 1.0), Normal(torch.zeros(2), 1.0)), (mix, 3), (Categorical(torch.ones(3)), Normal(torch.zeros(2), 1.0)), (Categorical(torch.ones(4, 2)), Normal(torch.zeros(3, 2), 1.0))):
    try:
        MixtureSameFamily(a, b)
    except ValueError as e:
        print(e)
