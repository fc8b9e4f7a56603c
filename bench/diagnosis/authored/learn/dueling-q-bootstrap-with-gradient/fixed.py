import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp_head(n_in, hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, n_out))


class DynamicsWorld:
    def __init__(self, dim=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.A = 0.5 * torch.randn(dim, dim, generator=g)
        self.reward_w = torch.randn(dim, generator=g)

    def collect(self, n):
        s = torch.randn(n, self.A.size(0))
        a = torch.randint(3, (n,))
        s2 = torch.tanh(s @ self.A + 0.3 * (a.float() - 1).unsqueeze(1))
        return {"obs": s, "act": a, "next_obs": s2, "rew": s2 @ self.reward_w, "done": (torch.rand(n) < 0.1).float()}


class ReplayBuffer:
    def __init__(self):
        self.storage = {}

    def extend(self, batch):
        for k, v in batch.items():
            self.storage[k] = torch.cat([self.storage[k], v]) if k in self.storage else v

    def sample(self, n):
        idx = torch.randint(len(self.storage["act"]), (n,))
        return {k: v[idx] for k, v in self.storage.items()}


class DuelingQ(nn.Module):
    def __init__(self, n_obs, n_act, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, hidden), nn.ReLU())
        self.adv, self.val = nn.Linear(hidden, n_act), nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        a = self.adv(h)
        return self.val(h) + a - a.mean(dim=1, keepdim=True)


class QLearner:
    def __init__(self, n_obs, n_act, gamma=0.9, lr=2e-3):
        self.q = DuelingQ(n_obs, n_act)
        self.gamma, self.n_act = gamma, n_act
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=lr)

    def bootstrap(self, rew, next_obs, done):
        best = self.q(next_obs).max(dim=1).values.detach()
        return rew + self.gamma * (1 - done) * best

    def td_error(self, batch):
        chosen = self.q(batch["obs"]).gather(1, batch["act"].unsqueeze(1)).squeeze(1)
        return chosen - self.bootstrap(batch["rew"], batch["next_obs"], batch["done"])

    def update(self, batch):
        delta = self.td_error(batch)
        loss = F.smooth_l1_loss(delta, torch.zeros_like(delta))
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.optimizer.step()
        return {"loss": loss.item(), "td": delta.abs().mean().item()}


def run(iterations=40):
    torch.manual_seed(16)
    world, buffer, learner = DynamicsWorld(), ReplayBuffer(), QLearner(6, 3)
    for it in range(iterations):
        buffer.extend(world.collect(16))
        info = learner.update(buffer.sample(32))
        if it % 10 == 9:
            print(it + 1, {k: round(v, 4) for k, v in info.items()})
    return learner, buffer


if __name__ == "__main__":
    learner, buffer = run()
    probe = buffer.sample(8)
    target = learner.bootstrap(probe["rew"], probe["next_obs"], probe["done"])
    print("mean target %.3f" % target.mean().item())
