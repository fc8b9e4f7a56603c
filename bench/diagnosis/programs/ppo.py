"""Proximal policy optimization on a one-step game with continuous actions."""

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(51)


class Policy(nn.Module):
    def __init__(self, observations):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observations, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, observation):
        mean = self.body(observation).squeeze(-1)
        return Normal(mean, self.log_std.exp())


def reward_of(observations, actions):
    best = observations[:, 0] - 0.5 * observations[:, 1]
    return -(actions - best).pow(2)


def collect(policy, n):
    observations = torch.randn(n, 3)
    with torch.no_grad():
        distribution = policy(observations)
        actions = distribution.sample()
        log_probs = distribution.log_prob(actions)
    return observations, actions, log_probs, reward_of(observations, actions)


def clipped_objective(ratio, advantage, clip):
    return torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()


policy = Policy(3)
value = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
policy_optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
value_optimizer = torch.optim.Adam(value.parameters(), lr=1e-2)
for update in range(4):
    observations, actions, old_log_probs, rewards = collect(policy, 32)
    with torch.no_grad():
        advantage = rewards - value(observations).squeeze(1)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(3):
        distribution = policy(observations)
        ratio = (distribution.log_prob(actions) - old_log_probs).exp()
        policy_loss = -clipped_objective(ratio, advantage, clip=0.2)
        policy_loss = policy_loss - 0.01 * distribution.entropy().mean()
        policy_optimizer.zero_grad()
        policy_loss.backward()
        policy_optimizer.step()

        value_loss = nn.functional.mse_loss(value(observations).squeeze(1), rewards)
        value_optimizer.zero_grad()
        value_loss.backward()
        value_optimizer.step()
    print(f"{update}: reward {rewards.mean().item():.3f}, value loss {value_loss.item():.3f}")
