import torch
from torch import nn
from torch.distributions import Bernoulli, Independent, Normal, kl_divergence

torch.manual_seed(0)
encode, decode = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*encode.parameters(), *decode.parameters()], lr=0.05)
x = (torch.rand(8, 6) > 0.5).float()
prior = Independent(Normal(torch.zeros(2), torch.ones(2)), 1)
for step in range(5):
    mean, log_std = encode(x).chunk(2, dim=-1)
    q = Independent(Normal(mean, log_std.exp()), 1)
    z = q.rsample()
    likelihood = Independent(Bernoulli(logits=decode(z)), 1).log_prob(x)
    elbo = (likelihood - kl_divergence(q, prior)).mean()
    opt.zero_grad()
    (-elbo).backward()
    opt.step()
    print(step, round(elbo.item(), 4))
