"""Double DQN with a replay memory and a target network."""

import random
from collections import deque

import torch
from torch import nn

torch.manual_seed(12)
random.seed(12)


class QNetwork(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(states, 16), nn.ReLU(), nn.Linear(16, actions))

    def forward(self, state):
        return self.layers(state)


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *transition):
        self.memory.append(transition)

    def sample(self, size):
        states, actions, rewards, following, done = zip(*random.sample(list(self.memory), size))
        return torch.stack(states), torch.tensor(actions), torch.tensor(rewards), torch.stack(following), torch.tensor(done)


def act(network, state, epsilon):
    if random.random() < epsilon:
        return random.randrange(2)
    with torch.no_grad():
        return network(state).argmax().item()


def simulate(state, action):
    following = 0.9 * state + (0.1 if action == 1 else -0.1) + 0.01 * torch.randn(4)
    reward = -following.abs().mean().item()
    return following, reward, float(reward < -1.0)


online, target = QNetwork(4, 2), QNetwork(4, 2)
target.load_state_dict(online.state_dict())
target.requires_grad_(False)
optimizer = torch.optim.Adam(online.parameters(), lr=5e-3)
memory = ReplayMemory(100)
state = torch.randn(4)
for step in range(20):
    action = act(online, state, epsilon=0.3)
    following, reward, done = simulate(state, action)
    memory.push(state, action, reward, following, done)
    state = torch.randn(4) if done else following
    if len(memory.memory) < 8:
        continue
    states, actions, rewards, followings, dones = memory.sample(8)
    q = online(states).gather(1, actions.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = online(followings).argmax(dim=1, keepdim=True)
        future = target(followings).gather(1, best).squeeze(1)
        expected = rewards + 0.95 * (1 - dones) * future
    loss = nn.functional.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        target.load_state_dict(online.state_dict())
        print(step, round(loss.item(), 4))
