import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, inputs, hidden, latent):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU())
        self.mu, self.logvar = nn.Linear(hidden, latent), nn.Linear(hidden, latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.logvar(h)


class Decoder(nn.Module):
    def __init__(self, inputs, hidden, latent):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, inputs))

    def forward(self, z):
        return self.net(z)


class VAE(nn.Module):
    def __init__(self, inputs=20, hidden=24, latent=3):
        super().__init__()
        self.encoder, self.decoder = Encoder(inputs, hidden, latent), Decoder(inputs, hidden, latent)

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encoder(x)
        z = self.reparameterize(mu, logvar)
        return self.decoder(z), mu, logvar


def elbo(recon, x, mu, logvar, beta):
    mse = F.mse_loss(recon, x, reduction="sum") / len(x)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return mse + beta * kld, mse, kld


def curves(n, points=20):
    t = torch.linspace(0, 3, points)
    a, b = torch.rand(n, 1) * 2, torch.rand(n, 1) * 3
    return TensorDataset(a * torch.sin(t + b) + 0.05 * torch.randn(n, points))


def train(model, loader, epochs, beta=0.1):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    model.train()
    for epoch in range(1, epochs + 1):
        sums = [0.0, 0.0, 0.0]
        for (x,) in loader:
            recon, mu, logvar = model(x)
            terms = elbo(recon, x, mu, logvar, beta)
            opt.zero_grad()
            terms[0].backward()
            opt.step()
            sums = [s + float(t) for s, t in zip(sums, terms)]
        print(f"epoch {epoch} " + " ".join(f"{s / len(loader):.4f}" for s in sums))


if __name__ == "__main__":
    torch.manual_seed(0)
    net = VAE()
    train(net, DataLoader(curves(160), batch_size=32, shuffle=True), epochs=3)
    net.eval()
    with torch.no_grad():
        x = curves(16).tensors[0]
        print("test", F.mse_loss(net(x)[0], x).item())
