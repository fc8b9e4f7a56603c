"""PPO on a small environment: a shared trunk, generalised advantages, several epochs of minibatches.

packages: torch
"""
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 16), nn.Tanh())
        self.actor = nn.Linear(16, 2)
        self.critic = nn.Linear(16, 1)

    def value(self, s):
        return self.critic(self.trunk(s))

    def act(self, s, action=None):
        h = self.trunk(s)
        policy = Categorical(logits=self.actor(h))
        if action is None:
            action = policy.sample()
        return action, policy.log_prob(action), policy.entropy(), self.critic(h)


def environment(state, action):
    state = 0.9 * state + 0.1 * torch.randn(3) + 0.2 * (2.0 * action - 1.0)
    return state, -float(state.pow(2).sum())


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3, eps=1e-5)
steps, gamma, lam = 16, 0.99, 0.95
state = torch.randn(3)
for update in range(2):
    states, actions = torch.zeros(steps, 3), torch.zeros(steps)
    logs, rewards, values = torch.zeros(steps), torch.zeros(steps), torch.zeros(steps)
    for t in range(steps):
        states[t] = state
        with torch.no_grad():
            action, log, _, value = agent.act(state)
            values[t] = value.flatten()
        actions[t], logs[t] = action, log
        state, rewards[t] = environment(state, float(action))
    with torch.no_grad():
        following = agent.value(state).flatten()
        advantages, last = torch.zeros(steps), 0.0
        for t in reversed(range(steps)):
            after = following if t == steps - 1 else values[t + 1]
            delta = rewards[t] + gamma * after - values[t]
            advantages[t] = last = delta + gamma * lam * last
        returns = advantages + values
    for epoch in range(2):
        for rows in torch.randperm(steps).split(8):
            _, log, entropy, value = agent.act(states[rows], actions[rows].long())
            ratio = (log - logs[rows]).exp()
            a = advantages[rows]
            a = (a - a.mean()) / (a.std() + 1e-8)
            policy_loss = torch.max(-a * ratio, -a * ratio.clamp(0.8, 1.2)).mean()
            value = value.view(-1)
            clipped = values[rows] + (value - values[rows]).clamp(-0.2, 0.2)
            value_loss = 0.5 * torch.max((value - returns[rows]) ** 2, (clipped - returns[rows]) ** 2).mean()
            loss = policy_loss - 0.01 * entropy.mean() + 0.5 * value_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    print(update, round(loss.item(), 3))
