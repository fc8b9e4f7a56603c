import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def set_requires_grad(net, value):
    for p in net.parameters():
        p.requires_grad = value


class Restorer(nn.Module):
    """Removes noise from short signals."""

    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 5, padding=2), nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(),
            nn.Conv1d(width, 1, 5, padding=2),
        )

    def forward(self, x):
        return x + self.net(x)


class PatchCritic(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(2, width, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv1d(width, 1, 4, 2, 1),
        )

    def forward(self, noisy, clean):
        return self.net(torch.cat([noisy, clean], dim=1))


class Pix2Pix:
    def __init__(self, weight_l1=20.0, lr=1e-3):
        self.g, self.d = Restorer(), PatchCritic()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=lr, betas=(0.5, 0.999))
        self.bce, self.weight_l1 = nn.BCEWithLogitsLoss(), weight_l1

    def gan_loss(self, score, real):
        return self.bce(score, torch.full_like(score, float(real)))

    def d_step(self, noisy, clean, fake):
        loss = self.gan_loss(self.d(noisy, clean), 1) + self.gan_loss(self.d(noisy, fake.detach()), 0)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def g_step(self, noisy, clean, fake):
        set_requires_grad(self.d, False)
        loss = self.gan_loss(self.d(noisy, fake), 1) + self.weight_l1 * (fake - clean).abs().mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def optimise(self, noisy, clean):
        fake = self.g(noisy)
        return self.d_step(noisy, clean, fake), self.g_step(noisy, clean, fake)


def signals(n, length=32):
    t = torch.linspace(0, 6.28, length)
    clean = torch.sin(t * (1 + torch.rand(n, 1)) + 6 * torch.rand(n, 1)).unsqueeze(1)
    return TensorDataset(clean + 0.3 * torch.randn(n, 1, length), clean)


def main():
    torch.manual_seed(52)
    model = Pix2Pix()
    loader = DataLoader(signals(64), batch_size=8, shuffle=True)
    for epoch in range(2):
        for noisy, clean in loader:
            d, g = model.optimise(noisy, clean)
        print(f"epoch {epoch} d {d:.4f} g {g:.4f}")


if __name__ == "__main__":
    main()
