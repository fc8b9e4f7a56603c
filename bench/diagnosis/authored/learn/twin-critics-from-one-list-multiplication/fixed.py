import copy
import random

import torch
from torch import nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, obs, act, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1)).squeeze(1)


class Ensemble(nn.Module):
    def __init__(self, obs, act, count=2):
        super().__init__()
        self.members = nn.ModuleList([Critic(obs, act) for _ in range(count)])

    def forward(self, s, a):
        return torch.stack([q(s, a) for q in self.members])


class Actor(nn.Module):
    def __init__(self, obs, act, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU(), nn.Linear(hidden, act), nn.Tanh())

    def forward(self, s):
        return self.net(s)


class TD3:
    def __init__(self, obs=3, act=1, gamma=0.9, tau=0.05, delay=2):
        self.actor, self.critic = Actor(obs, act), Ensemble(obs, act)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.gamma, self.tau, self.delay, self.updates = gamma, tau, delay, 0

    @torch.no_grad()
    def target(self, r, s2):
        noise = (0.2 * torch.randn(len(s2), 1)).clamp(-0.4, 0.4)
        a2 = (self.actor_target(s2) + noise).clamp(-1, 1)
        return r + self.gamma * self.critic_target(s2, a2).min(dim=0).values

    def update(self, s, a, r, s2):
        y = self.target(r, s2)
        q = self.critic(s, a)
        loss_q = F.mse_loss(q, y.expand_as(q))
        self.opt_critic.zero_grad()
        loss_q.backward()
        self.opt_critic.step()
        self.updates += 1
        if self.updates % self.delay == 0:
            loss_a = -self.critic(s, self.actor(s))[0].mean()
            self.opt_actor.zero_grad()
            loss_a.backward()
            self.opt_actor.step()
            self.follow()
        return loss_q.item()

    @torch.no_grad()
    def follow(self):
        for net, target in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for p, t in zip(net.parameters(), target.parameters()):
                t.lerp_(p, self.tau)


def transitions(n):
    s = torch.randn(n, 3)
    a = torch.rand(n, 1) * 2 - 1
    return s, a, -(a.squeeze(1) - s[:, 0].tanh()).pow(2), s + 0.1 * torch.randn(n, 3)


random.seed(1)
torch.manual_seed(1)
agent = TD3()
for step in range(16):
    loss = agent.update(*transitions(24))
    if step % 8 == 7:
        print("step", step, "critic loss", round(loss, 4))
