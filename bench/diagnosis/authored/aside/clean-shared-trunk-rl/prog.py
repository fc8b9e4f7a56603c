import copy
import random
from collections import deque
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F


class Batch(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    next_obs: torch.Tensor
    done: torch.Tensor


class CliffWalk:
    def __init__(self, width=6, seed=0):
        self.width, self.rng = width, random.Random(seed)

    def reset(self):
        self.x, self.t = self.rng.randrange(self.width - 1), 0
        return self.obs()

    def obs(self):
        v = [0.0] * self.width
        v[self.x] = 1.0
        return v

    def step(self, a):
        if self.rng.random() < 0.1:
            a = 1 - a
        self.x = max(0, self.x - 1) if a == 0 else self.x + 1
        self.t += 1
        goal = self.x == self.width - 1
        return self.obs(), 1.0 if goal else -0.05, goal or self.t > 20


class Memory:
    def __init__(self, size=500):
        self.items = deque(maxlen=size)

    def add(self, *row):
        self.items.append(row)

    def sample(self, n):
        cols = zip(*random.sample(list(self.items), n))
        o, a, r, o2, d = (torch.tensor(c) for c in cols)
        return Batch(o, a, r, o2, d.float())


class SharedAgent(nn.Module):
    def __init__(self, obs=6, actions=2, hidden=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
        self.q, self.pi = nn.Linear(hidden, actions), nn.Linear(hidden, actions)

    def forward(self, obs):
        h = self.trunk(obs)
        return self.q(h), Categorical(logits=self.pi(h))


class Learner:
    def __init__(self, agent, gamma=0.95, tau=0.05):
        self.agent, self.target = agent, copy.deepcopy(agent).requires_grad_(False)
        self.gamma, self.tau = gamma, tau
        self.opt = torch.optim.RMSprop(agent.parameters(), lr=3e-3)

    def bootstrap(self, b):
        with torch.no_grad():
            q, pi = self.target(b.next_obs)
            return b.reward + self.gamma * (1 - b.done) * (pi.probs * q).sum(dim=1)

    def update(self, b):
        q, pi = self.agent(b.obs)
        q_a = q.gather(1, b.action.unsqueeze(1)).squeeze(1)
        critic = F.smooth_l1_loss(q_a, self.bootstrap(b))
        advantage = (q - (pi.probs * q).sum(dim=1, keepdim=True)).detach()
        actor = -(pi.probs * advantage).sum(dim=1).mean() - 0.02 * pi.entropy().mean()
        self.opt.zero_grad()
        critic.backward(retain_graph=True)
        actor.backward()
        self.opt.step()
        with torch.no_grad():
            for p, t in zip(self.agent.parameters(), self.target.parameters()):
                t.lerp_(p, self.tau)
        return critic.item(), actor.item()


random.seed(61)
torch.manual_seed(61)
env, memory, learner = CliffWalk(seed=61), Memory(), Learner(SharedAgent())
for episode in range(20):
    obs, done, score = env.reset(), False, 0.0
    while not done:
        with torch.no_grad():
            action = int(learner.agent(torch.tensor([obs]))[1].sample())
        nxt, reward, done = env.step(action)
        memory.add(obs, action, reward, nxt, done)
        obs, score = nxt, score + reward
        if len(memory.items) >= 32:
            losses = learner.update(memory.sample(32))
    if episode % 5 == 4:
        print(episode + 1, round(score, 2), [round(v, 4) for v in losses])
