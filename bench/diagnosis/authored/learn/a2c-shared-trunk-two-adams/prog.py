import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class CartEnv:
    """A cart on a line that must stay near the middle."""

    def reset(self):
        self.s, self.t = torch.randn(2) * 0.1, 0
        return self.s.clone()

    def step(self, a):
        force = 0.1 if a == 1 else -0.1
        v = self.s[1] + force + 0.02 * torch.randn(())
        self.s = torch.stack([self.s[0] + v * 0.5, v])
        self.t += 1
        out = self.s[0].abs().item() > 1.0
        return self.s.clone(), (-1.0 if out else 0.1), out or self.t >= 20


class Trunk(nn.Module):
    def __init__(self, n_obs, hidden):
        super().__init__()
        self.fc = nn.Linear(n_obs, hidden)

    def forward(self, s):
        return torch.tanh(self.fc(s))


class Actor(nn.Module):
    def __init__(self, trunk, hidden, n_actions):
        super().__init__()
        self.trunk, self.pi = trunk, nn.Linear(hidden, n_actions)

    def forward(self, s):
        return Categorical(logits=self.pi(self.trunk(s)))


class Critic(nn.Module):
    def __init__(self, trunk, hidden):
        super().__init__()
        self.trunk, self.v = trunk, nn.Linear(hidden, 1)

    def forward(self, s):
        return self.v(self.trunk(s)).squeeze(-1)


class A2CAgent:
    def __init__(self, n_obs=2, hidden=16, n_actions=2, lr=3e-3, gamma=0.97):
        trunk = Trunk(n_obs, hidden)
        self.actor, self.critic, self.gamma = Actor(trunk, hidden, n_actions), Critic(trunk, hidden), gamma
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=lr)

    def returns(self, rewards):
        g, out = 0.0, []
        for r in reversed(rewards):
            g = r + self.gamma * g
            out.append(g)
        return torch.tensor(out[::-1])

    def learn(self, states, actions, rewards):
        states, actions, ret = torch.stack(states), torch.stack(actions), self.returns(rewards)
        dist, value = self.actor(states), self.critic(states)
        advantage = (ret - value).detach()
        loss = -(dist.log_prob(actions) * advantage).mean() - 0.01 * dist.entropy().mean()
        loss = loss + 0.5 * F.mse_loss(value, ret)
        self.actor_opt.zero_grad()
        self.critic_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        self.critic_opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(5)
    env, agent = CartEnv(), A2CAgent()
    for episode in range(12):
        s, done, states, actions, rewards = env.reset(), False, [], [], []
        while not done:
            with torch.no_grad():
                a = agent.actor(s).sample()
            states.append(s)
            actions.append(a)
            s, r, done = env.step(a.item())
            rewards.append(r)
        loss = agent.learn(states, actions, rewards)
        print(episode, "return %.2f loss %.4f" % (sum(rewards), loss))
