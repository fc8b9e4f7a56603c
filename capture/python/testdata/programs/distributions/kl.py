import torch
import torch.distributions as D
from torch.distributions import kl_divergence, register_kl

t = torch.tensor
pairs = [
    (D.Normal(0.0, 1.0), D.Normal(t([1.0, 2.0]), t([0.5, 3.0]))),
    (D.Bernoulli(t([0.1, 0.0, 1.0])), D.Bernoulli(t([0.5, 0.5, 0.0]))),
    (D.Categorical(t([0.2, 0.8])), D.Categorical(t([0.5, 0.5]))),
    (D.Beta(1.0, 2.0), D.Beta(3.0, 0.5)),
    (D.Dirichlet(t([1.0, 2.0])), D.Dirichlet(t([3.0, 1.0]))),
    (D.Exponential(1.0), D.Exponential(2.0)),
    (D.Gamma(1.0, 2.0), D.Gamma(2.0, 1.0)),
    (D.Gumbel(0.0, 1.0), D.Gumbel(1.0, 2.0)),
    (D.Laplace(0.0, 1.0), D.Laplace(1.0, 2.0)),
    (D.Cauchy(0.0, 1.0), D.Cauchy(1.0, 2.0)),
    (D.Pareto(2.0, 3.0), D.Pareto(t([1.0, 3.0]), 2.0)),
    (D.Poisson(2.0), D.Poisson(3.0)),
    (D.Uniform(0.0, 1.0), D.Uniform(t([-1.0, 0.5]), t([2.0, 2.0]))),
    (D.Geometric(0.3), D.Geometric(0.6)),
    (D.HalfNormal(1.0), D.HalfNormal(2.0)),
    (D.LogNormal(0.0, 1.0), D.LogNormal(1.0, 2.0)),
    (D.Binomial(5, t(0.3)), D.Binomial(5, t(0.6))),
    (D.OneHotCategorical(t([0.2, 0.8])), D.OneHotCategorical(t([0.5, 0.5]))),
    (D.MultivariateNormal(torch.zeros(2), torch.eye(2)), D.MultivariateNormal(torch.ones(2), 2 * torch.eye(2))),
    (D.Normal(0.0, 1.0), D.Laplace(0.5, 2.0)),
    (D.Uniform(0.0, 1.0), D.Normal(0.0, 1.0)),
    (D.Normal(0.0, 1.0), D.Uniform(0.0, 1.0)),
    (D.Gamma(2.0, 1.0), D.Normal(0.0, 1.0)),
    (D.Exponential(2.0), D.Gumbel(0.0, 1.0)),
    (D.Beta(2.0, 3.0), D.Uniform(0.0, 1.0)),
    (D.Laplace(0.0, 1.0), D.Normal(0.0, 2.0)),
    (D.Pareto(1.0, 3.0), D.Exponential(0.5)),
    (D.ContinuousBernoulli(t([0.2])), D.ContinuousBernoulli(t([0.7]))),
    (D.Independent(D.Normal(torch.zeros(3), 1.0), 1), D.Independent(D.Normal(torch.ones(3), 1.0), 1)),
    (D.Normal(0.0, 1.0), D.Bernoulli(0.5)),
    (D.Cauchy(0.0, 1.0), D.Normal(0.0, 1.0)),
    (D.Binomial(5, t(0.3)), D.Binomial(6, t(0.6))),
    (D.MultivariateNormal(torch.zeros(2), torch.eye(2)), D.MultivariateNormal(torch.ones(3), torch.eye(3))),
]
for p, q in pairs:
    try:
        print(type(p).__name__, type(q).__name__, kl_divergence(p, q))
    except (NotImplementedError, ValueError) as e:
        print(type(e).__name__, e)
mu = t(0.0, requires_grad=True)
kl_divergence(D.Normal(mu, 1.0), D.Normal(1.0, 2.0)).backward()
print(mu.grad)


class Mine(D.Normal):
    pass


@register_kl(Mine, D.Normal)
def _kl(p, q):
    return t(42.0)


print(kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0)), kl_divergence(D.Normal(0.0, 1.0), Mine(0.0, 1.0)))
