import random
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    """Walk right to the end of a corridor; a wind pushes back."""

    def __init__(self, length=6, limit=20, seed=0):
        self.length, self.limit = length, limit
        self.rng = random.Random(seed)

    def reset(self):
        self.pos, self.t = 0, 0
        return self.observe()

    def observe(self):
        x = torch.zeros(self.length)
        x[self.pos] = 1.0
        return x

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if self.rng.random() < 0.1:
            move = -move
        self.pos = max(0, min(self.length - 1, self.pos + move))
        done = self.pos == self.length - 1
        return self.observe(), 1.0 if done else -0.02, done, self.t >= self.limit


@dataclass
class Hyper:
    gamma: float = 0.95
    lr_actor: float = 1e-2
    lr_critic: float = 2e-2
    entropy: float = 1e-2
    episodes: int = 20


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class ActorCritic:
    def __init__(self, obs_dim, n_actions, hp):
        self.hp = hp
        self.actor = mlp([obs_dim, 32, n_actions])
        self.critic = mlp([obs_dim, 32, 1])
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=hp.lr_actor)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=hp.lr_critic)

    def policy(self, obs):
        return Categorical(logits=self.actor(obs))

    def td_target(self, reward, next_obs, done):
        bootstrap = 0.0 if done else self.critic(next_obs).squeeze(-1)
        return reward + self.hp.gamma * bootstrap

    def learn(self, obs, action, reward, next_obs, done):
        value = self.critic(obs).squeeze(-1)
        delta = self.td_target(reward, next_obs, done) - value
        critic_loss = 0.5 * delta.pow(2)
        self.opt_critic.zero_grad()
        critic_loss.backward()
        self.opt_critic.step()

        dist = self.policy(obs)
        actor_loss = -dist.log_prob(action) * delta.item() - self.hp.entropy * dist.entropy()
        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()
        return critic_loss.item()


def play(env, agent):
    obs, total, losses = env.reset(), 0.0, []
    while True:
        action = agent.policy(obs).sample()
        next_obs, reward, done, truncated = env.step(action.item())
        losses.append(agent.learn(obs, action, reward, next_obs, done))
        obs, total = next_obs, total + reward
        if done or truncated:
            return total, sum(losses) / len(losses)


torch.manual_seed(0)
hp, env = Hyper(), Corridor()
agent = ActorCritic(env.length, 2, hp)
for episode in range(hp.episodes):
    total, loss = play(env, agent)
    if episode % 5 == 4:
        print(f"episode {episode + 1} return {total:.2f} critic loss {loss:.4f}")
values = [round(agent.critic(torch.eye(env.length)[i]).item(), 3) for i in range(env.length - 1)]
print("values", values)
