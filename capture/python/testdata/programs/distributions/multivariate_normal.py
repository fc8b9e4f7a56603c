import torch
from torch.distributions import LowRankMultivariateNormal, MultivariateNormal

torch.manual_seed(0)
cov = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
loc = torch.tensor([1.0, -1.0], requires_grad=True)
d = MultivariateNormal(loc, cov)
x = d.rsample((2,))
print(d, x, d.log_prob(x), d.entropy(), d.mean, d.variance)
print(d.scale_tril, d.precision_matrix, d.covariance_matrix)
d.log_prob(torch.zeros(2)).backward()
print(loc.grad)
e = MultivariateNormal(torch.zeros(3, 2), scale_tril=torch.linalg.cholesky(cov))
print(e, e.batch_shape, e.event_shape, e.sample().shape, e.log_prob(torch.ones(2)), e.expand((4, 3)).entropy().shape)
p = MultivariateNormal(torch.zeros(2), precision_matrix=torch.inverse(cov))
print(p, p.covariance_matrix)
r = LowRankMultivariateNormal(torch.zeros(3), torch.tensor([[1.0], [0.5], [0.0]]), torch.tensor([1.0, 2.0, 0.5]))
y = r.sample((2,))
print(r, y, r.log_prob(y), r.entropy(), r.variance, r.covariance_matrix, r.precision_matrix, r.scale_tril)
bad = [
    lambda: MultivariateNormal(torch.tensor(0.0), torch.eye(1)),
    lambda: MultivariateNormal(torch.zeros(2)),
    lambda: MultivariateNormal(torch.zeros(2), torch.eye(2), scale_tril=torch.eye(2)),
    lambda: MultivariateNormal(torch.zeros(2), torch.ones(2)),
    lambda: MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 2.0], [2.0, 1.0]])),
    lambda: MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 2.0], [0.0, 1.0]])),
    lambda: MultivariateNormal(torch.zeros(2), scale_tril=-torch.eye(2)),
    lambda: LowRankMultivariateNormal(torch.zeros(2), torch.ones(3, 1), torch.ones(2)),
    lambda: LowRankMultivariateNormal(torch.zeros(2), torch.ones(2, 1), torch.ones(3)),
]
for f in bad:
    try:
        f()
    except ValueError as err:
        print(str(err).split("\n")[0])
