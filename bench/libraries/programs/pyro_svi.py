"""Pyro: stochastic variational inference for a Bayesian linear regression.

packages: pyro-ppl
"""
import pyro
import pyro.distributions as dist
import torch
from pyro.infer import SVI, Predictive, Trace_ELBO
from pyro.infer.autoguide import AutoNormal
from pyro.optim import ClippedAdam

pyro.set_rng_seed(0)
x = torch.randn(20, 2)
y = x @ torch.tensor([1.0, -2.0]) + 0.1 * torch.randn(20)


def model(x, y=None):
    w = pyro.sample("w", dist.Normal(torch.zeros(2), 1.0).to_event(1))
    b = pyro.sample("b", dist.Normal(0.0, 1.0))
    sigma = pyro.sample("sigma", dist.HalfNormal(1.0))
    with pyro.plate("data", len(x)):
        return pyro.sample("y", dist.Normal(x @ w + b, sigma), obs=y)


guide = AutoNormal(model)
svi = SVI(model, guide, ClippedAdam({"lr": 0.05}), Trace_ELBO(num_particles=2))
losses = [svi.step(x, y) for _ in range(10)]
print(round(losses[0], 2), round(losses[-1], 2), {k: v.detach().tolist() for k, v in guide.median().items()})
with torch.no_grad():
    print(Predictive(model, guide=guide, num_samples=3)(x)["y"].shape)
