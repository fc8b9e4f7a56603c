import copy

import torch
from torch import nn
import torch.nn.functional as F


def mlp(a, b, hidden=32):
    return nn.Sequential(nn.Linear(a, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, b))


class Views:
    def __init__(self, dim=12, noise=0.2):
        self.basis, self.noise = torch.randn(4, dim), noise

    def __call__(self, n):
        x = torch.randn(n, 4) @ self.basis
        return tuple(x + self.noise * torch.randn_like(x) for _ in range(2))


class BYOL(nn.Module):
    def __init__(self, dim=12, embed=8, momentum=0.95):
        super().__init__()
        self.online = nn.Sequential(mlp(dim, 16), mlp(16, embed))
        self.target = copy.deepcopy(self.online)
        self.predictor = mlp(embed, embed)
        self.momentum = momentum

    def update_target(self):
        for p, t in zip(self.online.parameters(), self.target.parameters()):
            t.mul_(self.momentum).add_((1 - self.momentum) * p)

    def regression(self, p, z):
        return 2 - 2 * F.cosine_similarity(p, z, dim=1).mean()

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            za, zb = self.target(a), self.target(b)
        return self.regression(pa, zb) + self.regression(pb, za)


class Pretraining:
    def __init__(self, model, views, lr=3e-3, batch=24):
        self.model, self.views, self.batch = model, views, batch
        params = list(model.online.parameters()) + list(model.predictor.parameters())
        self.optimizer = torch.optim.AdamW(params, lr=lr)

    def run(self, steps):
        losses = []
        for step in range(steps):
            loss = self.model(*self.views(self.batch))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.model.update_target()
            losses.append(loss.item())
            if step % 5 == 4:
                print(f"step {step} loss {sum(losses[-5:]) / 5:.4f}")
        return losses

    def spread(self):
        """Standard deviation of normalised embeddings: near zero after a collapse."""
        self.model.eval()
        with torch.no_grad():
            z = F.normalize(self.model.online(self.views(64)[0]), dim=1)
        self.model.train()
        return z.std(dim=0).mean().item()


if __name__ == "__main__":
    torch.manual_seed(44)
    run = Pretraining(BYOL(), Views())
    run.run(10)
    print("spread", round(run.spread(), 4))
