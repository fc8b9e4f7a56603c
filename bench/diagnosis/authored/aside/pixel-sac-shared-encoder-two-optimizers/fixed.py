import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class PixelEncoder(nn.Module):
    def __init__(self, feature_dim=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(2, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=1), nn.ReLU())
        self.fc = nn.Linear(8 * 9, feature_dim)
        self.ln = nn.LayerNorm(feature_dim)

    def forward(self, obs):
        return torch.tanh(self.ln(self.fc(self.conv(obs - 0.5).flatten(1))))


class Actor(nn.Module):
    def __init__(self, encoder, action_dim):
        super().__init__()
        self.encoder = encoder
        self.trunk = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, action_dim))

    def forward(self, obs):
        return torch.tanh(self.trunk(self.encoder(obs)))


class Critic(nn.Module):
    def __init__(self, encoder, action_dim):
        super().__init__()
        self.encoder = encoder
        self.q = nn.Sequential(nn.Linear(16 + action_dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, obs, action):
        return self.q(torch.cat([self.encoder(obs), action], dim=1)).squeeze(1)


class ReplayBuffer:
    def __init__(self, capacity):
        self.storage = deque(maxlen=capacity)

    def push(self, *transition):
        self.storage.append(transition)

    def sample(self, n):
        batch = random.sample(self.storage, n)
        return [torch.stack(column) for column in zip(*batch)]


class Agent:
    def __init__(self, action_dim=1, lr=1e-3, gamma=0.9):
        self.encoder = PixelEncoder()
        self.actor, self.critic = Actor(self.encoder, action_dim), Critic(self.encoder, action_dim)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=lr)
        self.actor_optimizer = torch.optim.Adam(self.actor.trunk.parameters(), lr=lr)
        self.gamma = gamma

    def act(self, obs, noise=0.3):
        with torch.no_grad():
            return (self.actor(obs[None])[0] + noise * torch.randn(1)).clamp(-1, 1)

    def update(self, obs, action, reward, next_obs):
        with torch.no_grad():
            target = reward + self.gamma * self.critic(next_obs, self.actor(next_obs))
        critic_loss = F.mse_loss(self.critic(obs, action), target)
        self.critic.q.requires_grad_(False)
        actor_loss = -self.critic(obs, self.actor(obs)).mean()
        self.critic.q.requires_grad_(True)
        self.critic_optimizer.zero_grad()
        self.actor_optimizer.zero_grad()
        (critic_loss + 0.1 * actor_loss).backward()
        self.critic_optimizer.step()
        self.actor_optimizer.step()
        return critic_loss.item(), actor_loss.item()


def render(position):
    frame = torch.rand(2, 12, 12) * 0.1
    column = int((position + 1) / 2 * 11)
    frame[:, 4:8, column] = 1.0
    return frame


random.seed(0)
torch.manual_seed(0)
agent, buffer = Agent(), ReplayBuffer(500)
position, returns = 0.0, []
for t in range(70):
    obs = render(position)
    action = agent.act(obs)
    position = max(-1.0, min(1.0, position + 0.3 * action.item()))
    reward = torch.tensor(1.0 - abs(position - 0.5))
    buffer.push(obs, action, reward, render(position))
    returns.append(reward.item())
    if t >= 32:
        losses = agent.update(*buffer.sample(16))
        if t % 12 == 0:
            print(t, "critic %.4f actor %.4f" % losses, "reward %.3f" % (sum(returns[-12:]) / 12))
