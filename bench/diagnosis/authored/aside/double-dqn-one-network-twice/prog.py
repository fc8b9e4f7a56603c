import random
from collections import deque

import torch
from torch import nn


class QNetwork(nn.Module):
    def __init__(self, states, actions, hidden=24):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(states, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, actions)

    def forward(self, x):
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))


class ReplayBuffer:
    def __init__(self, capacity=400):
        self.memory = deque(maxlen=capacity)

    def push(self, *transition):
        self.memory.append(transition)

    def sample(self, n):
        state, action, reward, following, done = zip(*random.sample(self.memory, n))
        return (torch.stack(state), torch.tensor(action), torch.tensor(reward), torch.stack(following),
                torch.tensor(done))


class Cart:
    def reset(self):
        self.x = torch.zeros(3)
        self.x[0] = random.uniform(-0.5, 0.5)
        return self.x.clone()

    def step(self, action):
        push = (-0.2, 0.0, 0.2)[action]
        self.x = torch.stack([self.x[0] + 0.3 * self.x[1], 0.9 * self.x[1] + push, self.x[0]])
        out = abs(float(self.x[0])) > 2
        return self.x.clone(), 1.0 - abs(float(self.x[0])), float(out)


class DoubleDQN:
    def __init__(self, gamma=0.95, lr=2e-3, sync=20):
        self.policy_net = QNetwork(3, 3)
        self.target_net = self.policy_net
        self.optimizer = torch.optim.Adam(self.policy_net.parameters(), lr=lr)
        self.memory, self.gamma, self.sync, self.count = ReplayBuffer(), gamma, sync, 0

    @torch.no_grad()
    def choose(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(3)
        return int(self.policy_net(state).argmax())

    def update(self, batch_size=16):
        if len(self.memory.memory) < batch_size:
            return None
        state, action, reward, following, done = self.memory.sample(batch_size)
        q_value = self.policy_net(state).gather(1, action.unsqueeze(1)).squeeze(1)
        best = self.policy_net(following).argmax(dim=1, keepdim=True)
        next_q = self.target_net(following).gather(1, best).squeeze(1)
        expected = reward + self.gamma * next_q * (1 - done)
        loss = nn.functional.mse_loss(q_value, expected)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.count += 1
        if self.count % self.sync == 0:
            self.target_net.load_state_dict(self.policy_net.state_dict())
        return loss.item()


random.seed(5)
torch.manual_seed(5)
env, agent = Cart(), DoubleDQN()
for episode in range(4):
    state, total, loss = env.reset(), 0.0, None
    for _ in range(15):
        action = agent.choose(state, 0.3)
        following, reward, done = env.step(action)
        agent.memory.push(state, action, reward, following, done)
        loss, state, total = agent.update(), following, total + reward
        if done:
            break
    print("episode", episode, "reward", round(total, 3), "loss", loss)
