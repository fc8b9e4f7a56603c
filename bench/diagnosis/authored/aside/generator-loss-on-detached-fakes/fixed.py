import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Generator(nn.Module):
    def __init__(self, latent=6, classes=3, width=24, points=10):
        super().__init__()
        self.label = nn.Embedding(classes, 6)
        self.net = nn.Sequential(
            nn.Linear(latent + 6, width), nn.LeakyReLU(0.2),
            nn.Linear(width, width), nn.LeakyReLU(0.2),
            nn.Linear(width, points), nn.Tanh(),
        )

    def forward(self, z, y):
        return self.net(torch.cat([z, self.label(y)], dim=1))


class Discriminator(nn.Module):
    def __init__(self, classes=3, width=24, points=10):
        super().__init__()
        self.label = nn.Embedding(classes, 6)
        self.net = nn.Sequential(
            nn.Linear(points + 6, width), nn.LeakyReLU(0.2), nn.Dropout(0.2),
            nn.Linear(width, 1),
        )

    def forward(self, x, y):
        return self.net(torch.cat([x, self.label(y)], dim=1))


def waves(n, points=10):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 6.28, points)
    x = torch.sin((y + 1).unsqueeze(1) * t / 2 + 0.3 * torch.randn(n, 1))
    return TensorDataset(x + 0.03 * torch.randn(n, points), y)


class CGAN:
    def __init__(self, latent=6, lr=1e-3):
        self.latent = latent
        self.g, self.d = Generator(latent), Discriminator()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=lr, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real, y):
        valid, bogus = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        z = torch.randn(len(real), self.latent)
        wanted = torch.randint(0, 3, (len(real),))
        fake = self.g(z, wanted)

        self.opt_d.zero_grad()
        d_loss = self.bce(self.d(real, y), valid) + self.bce(self.d(fake.detach(), wanted), bogus)
        d_loss.backward()
        self.opt_d.step()

        self.opt_g.zero_grad()
        g_loss = self.bce(self.d(fake, wanted), valid)
        g_loss.backward()
        self.opt_g.step()
        return d_loss.item(), g_loss.item()


def main():
    torch.manual_seed(30)
    gan = CGAN()
    loader = DataLoader(waves(160), batch_size=20, shuffle=True)
    for epoch in range(3):
        for real, y in loader:
            d_loss, g_loss = gan.step(real, y)
        print(f"epoch {epoch} d {d_loss:.4f} g {g_loss:.4f}")


if __name__ == "__main__":
    main()
