"""Pyro: a variational autoencoder, with modules registered by pyro.module.

packages: pyro-ppl
"""
import pyro
import pyro.distributions as dist
import torch
from pyro.infer import SVI, TraceMeanField_ELBO
from pyro.optim import Adam
from torch import nn

pyro.set_rng_seed(0)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(12, 16), nn.Softplus(), nn.Linear(16, 4))
        self.decoder = nn.Sequential(nn.Linear(2, 16), nn.Softplus(), nn.Linear(16, 12))

    def model(self, x):
        pyro.module("decoder", self.decoder)
        with pyro.plate("data", len(x)):
            z = pyro.sample("z", dist.Normal(torch.zeros(len(x), 2), 1.0).to_event(1))
            pyro.sample("x", dist.Bernoulli(logits=self.decoder(z)).to_event(1), obs=x)

    def guide(self, x):
        pyro.module("encoder", self.encoder)
        with pyro.plate("data", len(x)):
            mean, scale = self.encoder(x).chunk(2, -1)
            pyro.sample("z", dist.Normal(mean, scale.exp()).to_event(1))


vae = VAE()
svi = SVI(vae.model, vae.guide, Adam({"lr": 1e-2}), TraceMeanField_ELBO())
x = (torch.rand(16, 12) < torch.linspace(0.1, 0.9, 12)).float()
for epoch in range(5):
    print(epoch, round(svi.step(x) / len(x), 3))
