"""Deterministic policy gradients with soft target updates."""

import copy

import torch
import torch.nn as nn

torch.manual_seed(54)
GAMMA, TAU = 0.9, 0.05


class Actor(nn.Module):
    def __init__(self, states):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(states, 16), nn.ReLU(), nn.Linear(16, 1), nn.Tanh())

    def forward(self, state):
        return self.net(state)


class Critic(nn.Module):
    def __init__(self, states):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(states + 1, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, state, action):
        return self.net(torch.cat([state, action], dim=1))


class Agent:
    def __init__(self, states):
        self.actor, self.critic = Actor(states), Critic(states)
        self.target_actor = copy.deepcopy(self.actor)
        self.target_critic = copy.deepcopy(self.critic)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=2e-3)

    def update(self, state, action, reward, following):
        with torch.no_grad():
            target = reward + GAMMA * self.target_critic(following, self.target_actor(following))
        critic_loss = nn.functional.mse_loss(self.critic(state, action), target)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()

        actor_loss = -self.critic(state, self.actor(state)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.soft_update(self.target_actor, self.actor)
        self.soft_update(self.target_critic, self.critic)
        return critic_loss.item(), actor_loss.item()

    @torch.no_grad()
    def soft_update(self, target, source):
        for t, s in zip(target.parameters(), source.parameters()):
            t.lerp_(s, TAU)


def transitions(agent, n):
    state = torch.randn(n, 3)
    with torch.no_grad():
        action = (agent.actor(state) + 0.2 * torch.randn(n, 1)).clamp(-1, 1)
    reward = -(action - state[:, :1].tanh()).pow(2)
    following = 0.8 * state + 0.2 * action
    return state, action, reward, following


agent = Agent(3)
for iteration in range(8):
    critic_loss, actor_loss = agent.update(*transitions(agent, 16))
    if iteration % 2 == 1:
        print(f"{iteration}: critic {critic_loss:.4f} actor {actor_loss:.4f}")
