import random
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Step = namedtuple("Step", "obs action reward done")


class InventoryEnv:
    """Order 0..3 units a day, demand is random, stock is limited."""

    def __init__(self, capacity=8, horizon=15, seed=0):
        self.capacity, self.horizon = capacity, horizon
        self.rng = random.Random(seed)

    def reset(self):
        self.stock, self.day, self.demand = self.capacity // 2, 0, 1
        return self.observe()

    def observe(self):
        return [self.stock / self.capacity, self.day / self.horizon, self.demand / 3]

    def step(self, order):
        self.stock = min(self.stock + order, self.capacity)
        self.demand = self.rng.choice([0, 1, 1, 2, 3])
        sold = min(self.stock, self.demand)
        self.stock -= sold
        self.day += 1
        reward = 1.0 * sold - 0.3 * order - 0.1 * self.stock
        return self.observe(), reward, self.day >= self.horizon


class Policy(nn.Module):
    def __init__(self, obs_dim=3, actions=4, hidden=32):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, obs):
        dist = Categorical(logits=self.actor(self.shared(obs)))
        return dist, self.critic(obs)


class A2C:
    def __init__(self, policy, gamma=0.95, lr=5e-3, entropy=0.01):
        self.policy, self.gamma, self.entropy = policy, gamma, entropy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)

    def discounted(self, steps):
        returns, running = [], 0.0
        for s in reversed(steps):
            running = s.reward + self.gamma * running * (0.0 if s.done else 1.0)
            returns.append(running)
        return torch.tensor(returns[::-1])

    def losses(self, steps):
        obs = torch.tensor([s.obs for s in steps])
        actions = torch.tensor([s.action for s in steps])
        dist, values = self.policy(obs)
        advantage = self.discounted(steps).unsqueeze(1) - values
        actor = -(dist.log_prob(actions) * advantage.detach()).mean()
        critic = advantage.pow(2).mean()
        return actor, critic, dist.entropy().mean()

    def update(self, steps):
        actor, critic, entropy = self.losses(steps)
        loss = actor + 0.5 * critic - self.entropy * entropy
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimizer.step()
        return {"actor": actor.item(), "critic": critic.item(), "entropy": entropy.item()}


def run_episodes(env, policy, count):
    steps = []
    for _ in range(count):
        obs, done = env.reset(), False
        while not done:
            with torch.no_grad():
                dist, _ = policy(torch.tensor([obs]))
                action = int(dist.sample())
            nxt, reward, done = env.step(action)
            steps.append(Step(obs, action, reward, done))
            obs = nxt
    return steps


if __name__ == "__main__":
    torch.manual_seed(17)
    env = InventoryEnv(seed=17)
    learner = A2C(Policy())
    for iteration in range(12):
        steps = run_episodes(env, learner.policy, 4)
        logs = learner.update(steps)
        if iteration % 4 == 3:
            reward = sum(s.reward for s in steps) / 4
            print(iteration + 1, f"return {reward:.2f}", {k: round(v, 3) for k, v in logs.items()})
