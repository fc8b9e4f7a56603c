import torch
import torch.nn as nn
from torch.distributions import Categorical


class GridWorld:
    def __init__(self, size=5, horizon=15):
        self.size, self.horizon = size, horizon

    def reset(self):
        self.pos, self.t = [0, 0], 0
        return self.state()

    def state(self):
        return torch.tensor([self.pos[0] / self.size, self.pos[1] / self.size, self.t / self.horizon])

    def step(self, action):
        dx, dy = [(0, 1), (1, 0), (0, -1), (-1, 0)][action]
        self.pos[0] = min(max(self.pos[0] + dx, 0), self.size - 1)
        self.pos[1] = min(max(self.pos[1] + dy, 0), self.size - 1)
        self.t += 1
        goal = self.pos == [self.size - 1, self.size - 1]
        return self.state(), 1.0 if goal else -0.05, goal or self.t >= self.horizon


class Policy(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 4))

    def dist(self, states):
        return Categorical(logits=self.body(states))


def rollout(env, policy, episodes):
    states, actions, returns = [], [], []
    for _ in range(episodes):
        s, done, rewards = env.reset(), False, []
        while not done:
            with torch.no_grad():
                a = policy.dist(s).sample()
            states.append(s)
            actions.append(a)
            s, r, done = env.step(a.item())
            rewards.append(r)
        g, out = 0.0, []
        for r in reversed(rewards):
            g = r + 0.95 * g
            out.insert(0, g)
        returns += out
    return torch.stack(states), torch.stack(actions), torch.tensor(returns)


class ConservativePolicyGradient:
    def __init__(self, policy, lr=0.5, max_kl=0.01):
        self.policy, self.max_kl, self.rejected = policy, max_kl, 0
        self.optimizer = torch.optim.SGD(policy.parameters(), lr=lr, momentum=0.9)

    def backup(self):
        return [p.data for p in self.policy.parameters()]

    def restore(self, saved):
        with torch.no_grad():
            for p, s in zip(self.policy.parameters(), saved):
                p.copy_(s)

    def update(self, states, actions, advantages, inner_steps=4):
        with torch.no_grad():
            old = self.policy.dist(states)
            old_logp = old.log_prob(actions)
        for _ in range(inner_steps):
            saved = self.backup()
            dist = self.policy.dist(states)
            loss = -((dist.log_prob(actions) - old_logp).exp() * advantages).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            with torch.no_grad():
                new = self.policy.dist(states)
                kl = (old.probs * (old.logits - new.logits)).sum(-1).mean()
            if kl > self.max_kl:
                self.restore(saved)
                self.rejected += 1
                return kl.item()
        return kl.item()


def main():
    torch.manual_seed(11)
    env, policy = GridWorld(), Policy()
    agent = ConservativePolicyGradient(policy)
    for it in range(8):
        states, actions, returns = rollout(env, policy, 6)
        adv = (returns - returns.mean()) / (returns.std() + 1e-6)
        kl = agent.update(states, actions, adv)
        with torch.no_grad():
            final = (Categorical(logits=policy.body(states)).log_prob(actions)).mean().item()
        print(it, "steps", len(states), "kl %.4f logp %.3f rejected %d" % (kl, final, agent.rejected))
    return agent


if __name__ == "__main__":
    agent = main()
    saved = agent.backup()
