import torch
from torch.distributions import (
    AffineTransform,
    ExpTransform,
    Normal,
    SigmoidTransform,
    StickBreakingTransform,
    TransformedDistribution,
    Uniform,
)

torch.manual_seed(0)
d = TransformedDistribution(Normal(0.0, 1.0), [AffineTransform(loc=2.0, scale=3.0)])
print(d, d.sample((2,)), d.log_prob(torch.tensor([2.0, 5.0])), d.cdf(torch.tensor(2.0)), d.icdf(torch.tensor(0.75)))
logistic = TransformedDistribution(
    Uniform(torch.zeros(2), torch.ones(2)), [SigmoidTransform().inv, AffineTransform(torch.tensor([0.0, 1.0]), torch.tensor([1.0, -2.0]))]
)
x = logistic.rsample((2,))
print(logistic.batch_shape, logistic.support, x, logistic.log_prob(x), logistic.cdf(x))
s = TransformedDistribution(Normal(torch.zeros(4, 2), torch.ones(2)), StickBreakingTransform())
y = s.sample()
print(s.batch_shape, s.event_shape, y.sum(-1), s.log_prob(y), s.expand((5, 4)).sample().shape)
w = torch.tensor(0.5, requires_grad=True)
t = TransformedDistribution(Normal(w, 1.0), ExpTransform())
t.log_prob(torch.tensor(2.0)).backward()
print(w.grad)
for f in (lambda: TransformedDistribution(Normal(0.0, 1.0), 3), lambda: TransformedDistribution(Normal(0.0, 1.0), [3]), lambda: TransformedDistribution(Normal(0.0, 1.0), StickBreakingTransform()), lambda: t.mean):
    try:
        print(f())
    except (ValueError, NotImplementedError) as e:
        print(type(e).__name__, e)
