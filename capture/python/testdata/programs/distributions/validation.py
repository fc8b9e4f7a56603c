import torch
import torch.distributions as D

nan = float("nan")
cases = [
    lambda: D.Normal(0.0, -1.0),
    lambda: D.Normal(torch.tensor([0.0, nan]), torch.ones(2)),
    lambda: D.Bernoulli(torch.tensor([0.5, 1.5])),
    lambda: D.Bernoulli(),
    lambda: D.Bernoulli(probs=0.5, logits=0.0),
    lambda: D.Categorical(torch.tensor(0.5)),
    lambda: D.Categorical(torch.tensor([-0.5, 1.5])),
    lambda: D.Uniform(1.0, 0.0),
    lambda: D.Gamma(0.0, 1.0),
    lambda: D.Exponential(torch.tensor([1.0, 0.0])),
    lambda: D.Normal("a", 1.0),
    lambda: D.Normal(torch.zeros(2), torch.ones(3)),
    lambda: D.Normal(0.0),
    lambda: D.Geometric(torch.tensor([0.0, 0.5])),
    lambda: D.Normal(0.0, 1.0).log_prob(0.5),
    lambda: D.Normal(torch.zeros(3), 1.0).log_prob(torch.zeros(2)),
    lambda: D.Exponential(1.0).log_prob(torch.tensor([1.0, -1.0])),
    lambda: D.Bernoulli(0.5).log_prob(torch.tensor(0.5)),
    lambda: D.Categorical(torch.ones(3)).log_prob(torch.tensor(3)),
    lambda: D.Dirichlet(torch.ones(3)).log_prob(torch.tensor([0.5, 0.6, 0.1])),
    lambda: D.Dirichlet(torch.ones(3)).log_prob(torch.tensor([0.5, 0.5])),
    lambda: D.Uniform(0.0, 1.0).cdf(torch.tensor(2.0)),
    lambda: D.Dirichlet(torch.tensor(1.0)),
    lambda: D.Multinomial(1.5, torch.ones(2)),
    lambda: D.LKJCholesky(1),
    lambda: D.Distribution().mean,
    lambda: D.Distribution().log_prob(torch.zeros(())),
]
for f in cases:
    try:
        print(f())
    except (ValueError, NotImplementedError, RuntimeError, TypeError) as e:
        print(type(e).__name__, e)
print(D.Normal(0.0, -1.0, validate_args=False))
print(D.Uniform(0.0, 1.0, validate_args=False).log_prob(torch.tensor([-1.0, 0.5, 2.0])))
D.Distribution.set_default_validate_args(False)
print(D.Normal(0.0, -1.0).scale)
D.Distribution.set_default_validate_args(True)
