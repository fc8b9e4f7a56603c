import copy
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class PointMass:
    dt = 0.2

    def reset(self):
        self.x, self.v, self.t = random.uniform(-1, 1), 0.0, 0
        return self.state()

    def state(self):
        return torch.tensor([self.x, self.v])

    def step(self, force):
        self.v = 0.95 * self.v + self.dt * force
        self.x = self.x + self.dt * self.v
        self.t += 1
        reward = -(self.x ** 2) - 0.05 * force ** 2
        return self.state(), reward, self.t >= 25


class OUNoise:
    def __init__(self, theta=0.15, sigma=0.3):
        self.theta, self.sigma, self.value = theta, sigma, 0.0

    def __call__(self):
        self.value += -self.theta * self.value + self.sigma * random.gauss(0, 1)
        return self.value


class ReplayBuffer:
    def __init__(self, size=1000):
        self.data, self.size = [], size

    def add(self, s, a, r, s2):
        self.data.append((s, torch.tensor([a]), torch.tensor([r]), s2))
        self.data = self.data[-self.size:]

    def sample(self, n):
        return [torch.stack(t) for t in zip(*random.sample(self.data, n))]


class Critic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1))


class DDPG:
    def __init__(self, gamma=0.95, tau=0.02):
        self.gamma, self.tau = gamma, tau
        self.actor = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())
        self.critic = Critic()
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)

    def act(self, s, noise=0.0):
        with torch.no_grad():
            a = self.actor(s).item() + noise
        return max(-1.0, min(1.0, a))

    def update(self, s, a, r, s2):
        with torch.no_grad():
            y = r + self.gamma * self.critic_target(s2, self.actor_target(s2))
        critic_loss = F.mse_loss(self.critic(s, a), y)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        actor_loss = -self.critic(s, self.actor(s)).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        self.soft_update(self.actor_target, self.actor)
        self.soft_update(self.critic_target, self.critic)
        return critic_loss.item()

    @torch.no_grad()
    def soft_update(self, target, source):
        for tp, p in zip(target.parameters(), source.parameters()):
            tp.mul_(1 - self.tau).add_(p, alpha=self.tau)


random.seed(2)
torch.manual_seed(2)
env, agent, buffer, noise = PointMass(), DDPG(), ReplayBuffer(), OUNoise()
first = [p.clone() for p in agent.critic_target.parameters()]
for episode in range(8):
    state, total, done, losses = env.reset(), 0.0, False, []
    while not done:
        action = agent.act(state, noise())
        next_state, reward, done = env.step(action)
        buffer.add(state, action, reward, next_state)
        state, total = next_state, total + reward
        if len(buffer.data) >= 32:
            losses.append(agent.update(*buffer.sample(32)))
    print("episode %d return %.3f critic loss %.4f" % (episode, total, sum(losses) / max(1, len(losses))))
drift = math.sqrt(sum((p - q).pow(2).sum().item() for p, q in zip(first, agent.critic_target.parameters())))
print("target drift", round(drift, 5))
