"""Q-learning with n-step returns: an actor fills a buffer, a learner samples from it."""

import random
from collections import deque

import torch
import torch.nn as nn

random.seed(112)
torch.manual_seed(112)


class Corridor:
    def __init__(self, length):
        self.length = length

    def reset(self):
        self.position, self.time = self.length // 2, 0
        return self.observe()

    def observe(self):
        return nn.functional.one_hot(torch.tensor(self.position), self.length).float()

    def step(self, action):
        self.position = max(0, min(self.length - 1, self.position + (1 if action == 1 else -1)))
        self.time += 1
        done = self.position == self.length - 1 or self.time >= 12
        return self.observe(), float(self.position == self.length - 1), done


class DuelingNet(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.body = nn.Linear(states, 24)
        self.value = nn.Linear(24, 1)
        self.advantage = nn.Linear(24, actions)

    def forward(self, x):
        h = torch.relu(self.body(x))
        advantage = self.advantage(h)
        return self.value(h) + advantage - advantage.mean(dim=-1, keepdim=True)


class Actor:
    def __init__(self, environment, network, n, gamma):
        self.environment, self.network, self.n, self.gamma = environment, network, n, gamma

    @torch.no_grad()
    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(2)
        return int(self.network(state).argmax())

    def episode(self, epsilon):
        state, done, steps = self.environment.reset(), False, []
        while not done:
            action = self.act(state, epsilon)
            following, reward, done = self.environment.step(action)
            steps.append((state, action, reward))
            state = following
        for i, (first, action, _) in enumerate(steps):
            window = steps[i : i + self.n]
            total = sum(self.gamma**k * reward for k, (_, _, reward) in enumerate(window))
            ended = i + self.n >= len(steps)
            yield first, action, total, state if ended else steps[i + self.n][0], float(ended)


class Learner:
    def __init__(self, network, target, discount, lr):
        self.network, self.target, self.discount = network, target, discount
        self.optimizer = torch.optim.Adam(network.parameters(), lr=lr)

    def learn(self, batch):
        states, actions, returns, following, ended = zip(*batch)
        values = self.network(torch.stack(states)).gather(1, torch.tensor(actions).unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.target(torch.stack(following)).max(dim=1).values
            goal = torch.tensor(returns) + self.discount * best * (1 - torch.tensor(ended))
        loss = nn.functional.smooth_l1_loss(values, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.polyak(0.1)
        return loss.item()

    def polyak(self, rate):
        with torch.no_grad():
            for old, new in zip(self.target.parameters(), self.network.parameters()):
                old.lerp_(new, rate)


network, target = DuelingNet(9, 2), DuelingNet(9, 2)
target.load_state_dict(network.state_dict())
target.requires_grad_(False)
actor = Actor(Corridor(9), network, n=3, gamma=0.95)
learner = Learner(network, target, discount=0.95**3, lr=0.01)
buffer = deque(maxlen=200)
for iteration in range(8):
    buffer.extend(actor.episode(epsilon=0.5))
    losses = [learner.learn(random.sample(buffer, min(16, len(buffer)))) for _ in range(2)]
    print(iteration, len(buffer), "loss %.4f" % (sum(losses) / 2))
