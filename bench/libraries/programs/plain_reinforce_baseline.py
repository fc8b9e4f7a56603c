"""REINFORCE with a learnt baseline on a walk.

packages: torch
"""
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 2))
baseline = nn.Linear(1, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *baseline.parameters()], lr=1e-2)
for episode in range(5):
    position = torch.zeros(1)
    logs, values, rewards = [], [], []
    for t in range(10):
        choice = Categorical(logits=policy(position))
        action = choice.sample()
        logs.append(choice.log_prob(action))
        values.append(baseline(position).squeeze(-1))
        position = position + (2.0 * action - 1.0)
        rewards.append(-abs(position.item() - 3.0))
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + 0.9 * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    values = torch.stack(values)
    advantage = (returns - values).detach()
    loss = -(torch.stack(logs) * advantage).sum() + (returns - values).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(episode, round(sum(rewards), 2))
