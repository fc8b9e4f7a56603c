import random

import torch
import torch.nn as nn
from torch.distributions import Categorical


class GridWorld:
    def __init__(self, size=4, seed=0):
        self.size, self.rng = size, random.Random(seed)

    def reset(self):
        self.pos, self.t = [self.rng.randrange(self.size) for _ in range(2)], 0
        return self._obs()

    def _obs(self):
        return torch.tensor([p / (self.size - 1) for p in self.pos])

    def step(self, action):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][action]
        self.pos = [min(max(p + d, 0), self.size - 1) for p, d in zip(self.pos, (dx, dy))]
        self.t += 1
        goal = self.pos == [self.size - 1, self.size - 1]
        return self._obs(), 1.0 if goal else -0.05, goal or self.t >= 12


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=2, actions=4, hidden=32):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, actions))
        self.critic = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def act(self, obs):
        dist = Categorical(logits=self.actor(obs))
        action = dist.sample()
        return action, dist.log_prob(action)

    def evaluate(self, obs, actions):
        dist = Categorical(logits=self.actor(obs))
        return dist.log_prob(actions), self.critic(obs).squeeze(-1), dist.entropy()


class RolloutBuffer:
    def __init__(self):
        self.obs, self.actions, self.logprobs, self.rewards, self.dones = [], [], [], [], []

    def add(self, obs, action, logprob, reward, done):
        self.obs.append(obs)
        self.actions.append(action)
        self.logprobs.append(logprob)
        self.rewards.append(reward)
        self.dones.append(done)

    def returns(self, gamma):
        out, running = [], 0.0
        for r, d in zip(reversed(self.rewards), reversed(self.dones)):
            running = r + gamma * running * (not d)
            out.insert(0, running)
        out = torch.tensor(out)
        return (out - out.mean()) / (out.std() + 1e-7)


class PPO:
    def __init__(self, policy, lr=3e-3, clip=0.2, k_epochs=4, gamma=0.97):
        self.policy, self.clip, self.k_epochs, self.gamma = policy, clip, k_epochs, gamma
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
        self.mse = nn.MSELoss()

    def collect(self, env, steps):
        buffer, obs = RolloutBuffer(), env.reset()
        for _ in range(steps):
            action, logprob = self.policy.act(obs)
            nxt, reward, done = env.step(action.item())
            buffer.add(obs, action, logprob, reward, done)
            obs = env.reset() if done else nxt
        return buffer

    def update(self, buffer):
        obs, actions = torch.stack(buffer.obs), torch.stack(buffer.actions)
        old_logprobs = torch.stack(buffer.logprobs)
        returns = buffer.returns(self.gamma)
        for _ in range(self.k_epochs):
            logprobs, values, entropy = self.policy.evaluate(obs, actions)
            ratios = torch.exp(logprobs - old_logprobs)
            advantages = returns - values.detach()
            surr = torch.min(ratios * advantages, ratios.clamp(1 - self.clip, 1 + self.clip) * advantages)
            loss = -surr.mean() + 0.5 * self.mse(values, returns) - 0.01 * entropy.mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(4)
    env, agent = GridWorld(), PPO(ActorCritic())
    for iteration in range(4):
        rollout = agent.collect(env, steps=80)
        loss = agent.update(rollout)
        print(f"iter {iteration} loss {loss:.3f} mean reward {sum(rollout.rewards) / 80:.3f}")
