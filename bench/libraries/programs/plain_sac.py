"""Soft actor-critic on random transitions: twin critics, a reparameterised policy, a learnt temperature.

packages: torch
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


def mlp(a, b):
    return nn.Sequential(nn.Linear(a, 16), nn.ReLU(), nn.Linear(16, b))


actor, q1, q2 = mlp(3, 2), mlp(4, 1), mlp(4, 1)
t1, t2 = copy.deepcopy(q1), copy.deepcopy(q2)
log_alpha = torch.zeros(1, requires_grad=True)
q_optimizer = torch.optim.Adam([*q1.parameters(), *q2.parameters()], lr=1e-3)
a_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
alpha_optimizer = torch.optim.Adam([log_alpha], lr=1e-3)


def sample(s):
    mean, log_std = actor(s).chunk(2, -1)
    policy = Normal(mean, log_std.clamp(-5, 2).exp())
    raw = policy.rsample()
    action = torch.tanh(raw)
    log = policy.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
    return action, log.sum(-1, keepdim=True)


for step in range(8):
    s, a, r, n = torch.randn(8, 3), torch.rand(8, 1) * 2 - 1, torch.randn(8, 1), torch.randn(8, 3)
    alpha = log_alpha.exp().item()
    with torch.no_grad():
        na, nlog = sample(n)
        following = torch.cat([n, na], 1)
        goal = r + 0.99 * (torch.min(t1(following), t2(following)) - alpha * nlog)
    sa = torch.cat([s, a], 1)
    q_loss = F.mse_loss(q1(sa), goal) + F.mse_loss(q2(sa), goal)
    q_optimizer.zero_grad()
    q_loss.backward()
    q_optimizer.step()
    if step % 2 == 0:
        action, log = sample(s)
        sa = torch.cat([s, action], 1)
        a_loss = (alpha * log - torch.min(q1(sa), q2(sa))).mean()
        a_optimizer.zero_grad()
        a_loss.backward()
        a_optimizer.step()
        alpha_loss = (-log_alpha.exp() * (log.detach() - 1.0)).mean()
        alpha_optimizer.zero_grad()
        alpha_loss.backward()
        alpha_optimizer.step()
    for net, slow in ((q1, t1), (q2, t2)):
        for p, tp in zip(net.parameters(), slow.parameters()):
            tp.data.copy_(0.005 * p.data + 0.995 * tp.data)
    print(step, round(q_loss.item(), 3), round(alpha, 4))
