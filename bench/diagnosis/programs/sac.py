"""Soft actor-critic with two critics on a point that is to be moved to the origin."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(76)
ALPHA, GAMMA, TAU = 0.1, 0.9, 0.1


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 12)
        self.mean = nn.Linear(12, 1)
        self.log_std = nn.Linear(12, 1)

    def forward(self, state):
        h = torch.relu(self.body(state))
        log_std = self.log_std(h).clamp(-3, 1)
        normal = torch.distributions.Normal(self.mean(h), log_std.exp())
        raw = normal.rsample()
        action = torch.tanh(raw)
        log_prob = normal.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob


class TwinCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
        self.second = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, state, action):
        x = torch.cat([state, action], dim=1)
        return self.first(x), self.second(x)


policy, critic = Policy(), TwinCritic()
target_critic = copy.deepcopy(critic)
for p in target_critic.parameters():
    p.requires_grad_(False)
policy_optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=3e-3)

for iteration in range(6):
    state = torch.randn(16, 2)
    with torch.no_grad():
        action, _ = policy(state)
        following = 0.9 * state + 0.3 * action
        reward = -following.norm(dim=1, keepdim=True)
        next_action, next_log_prob = policy(following)
        q1, q2 = target_critic(following, next_action)
        target = reward + GAMMA * (torch.min(q1, q2) - ALPHA * next_log_prob)
    q1, q2 = critic(state, action)
    critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()

    new_action, log_prob = policy(state)
    q1, q2 = critic(state, new_action)
    policy_loss = (ALPHA * log_prob - torch.min(q1, q2)).mean()
    policy_optimizer.zero_grad()
    policy_loss.backward()
    policy_optimizer.step()
    with torch.no_grad():
        for t, s in zip(target_critic.parameters(), critic.parameters()):
            t.mul_(1 - TAU).add_(s, alpha=TAU)
    print(f"{iteration}: critic {critic_loss.item():.4f} policy {policy_loss.item():.4f}")
