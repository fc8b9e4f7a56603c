import torch
from torch import nn
import torch.nn.functional as F
from torch.distributions import Categorical
from torch.utils.data import DataLoader, TensorDataset


class Policy(nn.Module):
    def __init__(self, obs=8, actions=5, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.logits = nn.Linear(hidden, actions)

    def forward(self, obs):
        return Categorical(logits=self.logits(self.body(obs)))


class Expert:
    def __init__(self, obs=8, actions=5):
        self.weight = torch.randn(obs, actions)

    def demonstrations(self, n):
        obs = torch.randn(n, len(self.weight))
        return TensorDataset(obs, (obs @ self.weight).argmax(dim=1))


class Cloning:
    def __init__(self, policy, entropy=0.01, lr=5e-3):
        self.policy, self.entropy = policy, entropy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)

    def loss(self, obs, action):
        dist = self.policy(obs)
        nll = F.cross_entropy(dist.probs, action)
        return nll - self.entropy * dist.entropy().mean()

    def train(self, loader):
        total = 0.0
        for obs, action in loader:
            loss = self.loss(obs, action)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def agreement(self, data):
        obs, action = data.tensors
        return (self.policy(obs).probs.argmax(dim=1) == action).float().mean().item()


def main():
    torch.manual_seed(63)
    expert = Expert()
    train, test = expert.demonstrations(256), expert.demonstrations(64)
    cloning = Cloning(Policy())
    loader = DataLoader(train, batch_size=32, shuffle=True)
    for epoch in range(3):
        loss = cloning.train(loader)
        print(f"epoch {epoch} loss {loss:.4f} agreement {cloning.agreement(test):.3f}")


if __name__ == "__main__":
    main()
