from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Config:
    gamma: float = 0.95
    lam: float = 0.9
    clip: float = 0.2
    steps: int = 32
    updates: int = 4
    iterations: int = 3


class Corridor:
    """Eight cells in a row; the last one pays."""

    def __init__(self, cells=8):
        self.cells = cells
        self.position = 0

    def observe(self):
        return torch.eye(self.cells)[self.position]

    def act(self, action):
        self.position = max(0, self.position + (1 if action == 1 else -1))
        done = self.position == self.cells - 1
        reward = 1.0 if done else -0.02
        if done:
            self.position = 0
        return reward, done


class Policy(nn.Module):
    def __init__(self, cells=8, actions=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cells, 16), nn.Tanh(), nn.Linear(16, actions))

    def forward(self, s):
        return Categorical(logits=self.net(s))


class Value(nn.Module):
    def __init__(self, cells=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cells, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, s):
        return self.net(s)


def estimate_advantages(rewards, masks, values, cfg):
    advantages = torch.zeros_like(values)
    last_value = last_adv = 0.0
    for i in reversed(range(len(rewards))):
        delta = rewards[i] + cfg.gamma * last_value * masks[i] - values[i, 0]
        last_adv = delta + cfg.gamma * cfg.lam * last_adv * masks[i]
        advantages[i, 0] = last_adv
        last_value = values[i, 0]
    returns = advantages + values
    return (advantages - advantages.mean()) / (advantages.std() + 1e-6), returns


def ppo_step(policy, value, opt, states, actions, returns, advantages, old_log_prob, cfg):
    for _ in range(cfg.updates):
        value_loss = (value(states) - returns).pow(2).mean()
        log_prob = policy(states).log_prob(actions)
        ratio = torch.exp(log_prob - old_log_prob)
        surr1 = ratio * advantages
        surr2 = torch.clamp(ratio, 1 - cfg.clip, 1 + cfg.clip) * advantages
        policy_loss = -torch.min(surr1, surr2).mean()
        opt.zero_grad()
        (policy_loss + 0.5 * value_loss).backward()
        opt.step()
    return policy_loss.item(), value_loss.item()


torch.manual_seed(4)
cfg, env, policy, value = Config(), Corridor(), Policy(), Value()
opt = torch.optim.Adam(list(policy.parameters()) + list(value.parameters()), lr=1e-2)
for iteration in range(cfg.iterations):
    states, actions, rewards, masks = [], [], [], []
    with torch.no_grad():
        for _ in range(cfg.steps):
            s = env.observe()
            a = policy(s).sample()
            r, done = env.act(int(a))
            states.append(s), actions.append(a), rewards.append(r), masks.append(1.0 - float(done))
        states, actions = torch.stack(states), torch.stack(actions)
        old = policy(states).log_prob(actions)
        advantages, returns = estimate_advantages(rewards, masks, value(states), cfg)
    print(iteration, sum(rewards), *ppo_step(policy, value, opt, states, actions, returns, advantages, old, cfg))
