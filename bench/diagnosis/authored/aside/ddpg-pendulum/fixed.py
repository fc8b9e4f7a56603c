import copy
import math
import random
from collections import deque

import torch
from torch import nn
from torch.nn import functional as F


class Pendulum:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.theta, self.omega, self.t = self.rng.uniform(-math.pi, math.pi), self.rng.uniform(-1, 1), 0
        return self.obs()

    def obs(self):
        return [math.cos(self.theta), math.sin(self.theta), self.omega / 8]

    def step(self, torque):
        torque = max(-2.0, min(2.0, torque))
        angle = (self.theta + math.pi) % (2 * math.pi) - math.pi
        cost = angle ** 2 + 0.1 * self.omega ** 2 + 0.001 * torque ** 2
        self.omega = max(-8.0, min(8.0, self.omega + 0.05 * (15 * math.sin(self.theta) + 3 * torque)))
        self.theta += 0.05 * self.omega
        self.t += 1
        return self.obs(), -cost / 10, self.t >= 40


class ReplayBuffer:
    def __init__(self, capacity):
        self.data = deque(maxlen=capacity)

    def push(self, *transition):
        self.data.append(transition)

    def sample(self, n):
        cols = list(zip(*random.sample(list(self.data), n)))
        return [torch.tensor(c, dtype=torch.float32) for c in cols]


def mlp(inp, out, hidden=32):
    return nn.Sequential(nn.Linear(inp, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, out))


class DDPG:
    def __init__(self, gamma=0.97, tau=0.02):
        self.gamma, self.tau = gamma, tau
        self.actor, self.critic = mlp(3, 1), mlp(4, 1)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)

    def act(self, obs, noise=0.0):
        with torch.no_grad():
            a = 2 * torch.tanh(self.actor(torch.tensor(obs))).item()
        return a + random.gauss(0, noise)

    def q(self, net, s, a):
        return net(torch.cat([s, a], dim=1)).squeeze(1)

    def soft_update(self, source, target):
        for sp, tp in zip(source.parameters(), target.parameters()):
            tp.data.copy_((1 - self.tau) * tp.data + self.tau * sp.data)

    def learn(self, s, a, r, s2, done):
        with torch.no_grad():
            a2 = 2 * torch.tanh(self.actor_target(s2))
            target = r + self.gamma * (1 - done) * self.q(self.critic_target, s2, a2)
        critic_loss = F.mse_loss(self.q(self.critic, s, a.unsqueeze(1)), target)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        actor_loss = -self.q(self.critic, s, 2 * torch.tanh(self.actor(s))).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        self.soft_update(self.actor, self.actor_target)
        self.soft_update(self.critic, self.critic_target)
        return critic_loss.item(), actor_loss.item()


random.seed(41)
torch.manual_seed(41)
env, agent, memory = Pendulum(41), DDPG(), ReplayBuffer(2000)
for episode in range(5):
    obs, done, score = env.reset(), False, 0.0
    while not done:
        action = agent.act(obs, noise=0.5)
        nxt, reward, done = env.step(action)
        memory.push(obs, action, reward, nxt, float(done))
        obs, score = nxt, score + reward
        if len(memory.data) >= 32:
            losses = agent.learn(*memory.sample(32))
    print(f"episode {episode} return {score:.2f} critic {losses[0]:.4f} actor {losses[1]:.4f}")
