import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, obs=4, act=1, hidden=24):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, act))
        self.critic = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def evaluate(self, obs, action):
        dist = Normal(self.actor(obs), self.log_std.exp())
        return dist.log_prob(action).sum(-1), dist.entropy().sum(-1), self.critic(obs).squeeze(-1)

    @torch.no_grad()
    def act(self, obs):
        dist = Normal(self.actor(obs), self.log_std.exp())
        action = dist.sample()
        return action, dist.log_prob(action).sum(-1), self.critic(obs).squeeze(-1)


class Rollout:
    def __init__(self, steps):
        self.obs = torch.randn(steps, 4)

    def collect(self, policy):
        action, log_prob, value = policy.act(self.obs)
        reward = -(action.squeeze(1) - self.obs[:, 0]).pow(2)
        self.action, self.log_prob, self.returns = action, log_prob, reward
        self.advantage = reward - value

    def minibatches(self, size):
        order = torch.randperm(len(self.obs))
        for start in range(0, len(order), size):
            i = order[start:start + size]
            yield self.obs[i], self.action[i], self.log_prob[i], self.advantage[i], self.returns[i]


class PPO:
    def __init__(self, policy, batch_size=16, epochs=2, clip=0.2, lr=3e-3):
        self.policy, self.batch_size, self.epochs, self.clip = policy, batch_size, epochs, clip
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)

    def train(self, rollout):
        losses = []
        for _ in range(self.epochs):
            for obs, action, old, advantage, returns in rollout.minibatches(self.batch_size):
                if len(advantage) > 1:
                    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                log_prob, entropy, value = self.policy.evaluate(obs, action)
                ratio = (log_prob - old).exp()
                clipped = ratio.clamp(1 - self.clip, 1 + self.clip)
                policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
                loss = policy_loss + 0.5 * (value - returns).pow(2).mean() - 0.01 * entropy.mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self.optimizer.step()
                losses.append(loss.item())
        return sum(losses) / len(losses)


if __name__ == "__main__":
    torch.manual_seed(15)
    agent = PPO(ActorCritic())
    for iteration in range(3):
        rollout = Rollout(steps=49)
        rollout.collect(agent.policy)
        print("iteration", iteration, "loss", round(agent.train(rollout), 4))
