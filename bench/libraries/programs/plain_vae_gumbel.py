"""A VAE with a Gaussian and a Gumbel-softmax latent, KL annealing and free bits.

packages: torch
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
gaussian, categorical = nn.Linear(16, 4), nn.Linear(16, 3)
decoder = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 12))
modules = nn.ModuleList([encoder, gaussian, categorical, decoder])
optimizer = torch.optim.Adam(modules.parameters(), lr=2e-3)
prior = Normal(0.0, 1.0)
x = (torch.rand(16, 12) > 0.5).float()
for step in range(6):
    h = encoder(x)
    mean, log_var = gaussian(h).chunk(2, 1)
    posterior = Normal(mean, (0.5 * log_var).exp())
    logits = categorical(h)
    code = torch.cat([posterior.rsample(), F.gumbel_softmax(logits, tau=1.0, hard=step % 2 == 1)], 1)
    fit = F.binary_cross_entropy_with_logits(decoder(code), x, reduction="none").sum(1).mean()
    kl = kl_divergence(posterior, prior).mean(0).clamp(min=0.05).sum()
    p = logits.softmax(1)
    kl_c = (p * (p.clamp_min(1e-8).log() + torch.log(torch.tensor(3.0)))).sum(1).mean()
    loss = fit + min(1.0, step / 4) * (kl + kl_c)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
