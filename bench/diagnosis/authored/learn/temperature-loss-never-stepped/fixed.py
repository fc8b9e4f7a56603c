import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, obs=3, act=2, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.ReLU())
        self.mean, self.log_std = nn.Linear(hidden, act), nn.Linear(hidden, act)

    def forward(self, s):
        h = self.body(s)
        dist = Normal(self.mean(h), self.log_std(h).clamp(-4, 1).exp())
        raw = dist.rsample()
        action = torch.tanh(raw)
        log_prob = dist.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob.sum(dim=1)


class Q(nn.Module):
    def __init__(self, obs=3, act=2, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs + act, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1)).squeeze(1)


class SAC:
    def __init__(self, lr=3e-3, target_entropy=-2.0):
        self.policy, self.q = GaussianPolicy(), Q()
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.q_opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=lr)
        self.target_entropy = target_entropy

    @property
    def alpha(self):
        return self.log_alpha.exp().detach()

    def update_q(self, s, a, r):
        loss = (self.q(s, a) - r).pow(2).mean()
        self.q_opt.zero_grad()
        loss.backward()
        self.q_opt.step()
        return loss.item()

    def update_policy(self, s):
        self.q.requires_grad_(False)
        action, log_prob = self.policy(s)
        loss = (self.alpha * log_prob - self.q(s, action)).mean()
        self.policy_opt.zero_grad()
        loss.backward()
        self.policy_opt.step()
        self.q.requires_grad_(True)
        return log_prob.detach()

    def update_alpha(self, log_prob):
        alpha_loss = -(self.log_alpha * (log_prob + self.target_entropy)).mean()
        self.alpha_opt.zero_grad()
        alpha_loss.backward()
        self.alpha_opt.step()
        return alpha_loss.item()

    def update(self, s, a, r):
        q_loss = self.update_q(s, a, r)
        log_prob = self.update_policy(s)
        return q_loss, self.update_alpha(log_prob)


torch.manual_seed(39)
agent = SAC()
for step in range(16):
    s = torch.randn(24, 3)
    a = torch.rand(24, 2) * 2 - 1
    r = -(a - torch.tanh(s[:, :2])).pow(2).sum(dim=1)
    q_loss, alpha_loss = agent.update(s, a, r)
    if step % 8 == 7:
        print(f"step {step} q {q_loss:.4f} alpha {agent.alpha.item():.4f}")
