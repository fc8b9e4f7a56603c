"""Pyro: a few NUTS samples of a small model.

packages: pyro-ppl
"""
import pyro
import pyro.distributions as dist
import torch
from pyro.infer import MCMC, NUTS

pyro.set_rng_seed(0)
data = torch.randn(15) + 2.0


def model(data):
    mean = pyro.sample("mean", dist.Normal(0.0, 5.0))
    scale = pyro.sample("scale", dist.LogNormal(0.0, 0.5))
    with pyro.plate("data", len(data)):
        pyro.sample("x", dist.Normal(mean, scale), obs=data)


mcmc = MCMC(NUTS(model, max_tree_depth=3), num_samples=5, warmup_steps=5, disable_progbar=True)
mcmc.run(data)
print({k: v.shape for k, v in mcmc.get_samples().items()})
