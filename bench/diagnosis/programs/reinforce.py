"""REINFORCE with a moving baseline on a corridor of five cells."""

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(10)


class Corridor:
    size = 5

    def reset(self):
        self.position = 2
        self.steps = 0
        return self.observe()

    def observe(self):
        state = torch.zeros(self.size)
        state[self.position] = 1.0
        return state

    def step(self, action):
        self.steps += 1
        self.position += 1 if action == 1 else -1
        done = self.position in (0, self.size - 1) or self.steps >= 8
        reward = 1.0 if self.position == self.size - 1 else -0.1
        return self.observe(), reward, done


def discounted(rewards, gamma):
    returns, running = [], 0.0
    for reward in reversed(rewards):
        running = reward + gamma * running
        returns.append(running)
    return torch.tensor(returns[::-1])


policy = nn.Sequential(nn.Linear(Corridor.size, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
env = Corridor()
baseline = 0.0
for episode in range(8):
    state = env.reset()
    log_probs, rewards = [], []
    done = False
    while not done:
        distribution = Categorical(logits=policy(state))
        action = distribution.sample()
        log_probs.append(distribution.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    returns = discounted(rewards, gamma=0.95)
    advantage = returns - baseline
    loss = -(torch.stack(log_probs) * advantage).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    baseline = 0.9 * baseline + 0.1 * returns[0].item()
    if episode % 4 == 3:
        print(f"episode {episode}: return {sum(rewards):.2f}, loss {loss.item():.3f}")
