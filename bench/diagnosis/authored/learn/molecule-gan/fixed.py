import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

ATOMS = 6
KINDS = 4


def toy_molecules(n, seed=0):
    """Chains of atoms as one-hot node types plus a soft adjacency."""
    g = torch.Generator().manual_seed(seed)
    first = torch.randint(0, KINDS, (n, 1), generator=g)
    kinds = (first + torch.arange(ATOMS)) % KINDS
    nodes = F.one_hot(kinds, KINDS).float()
    adj = torch.zeros(n, ATOMS, ATOMS)
    for i in range(ATOMS - 1):
        adj[:, i, i + 1] = adj[:, i + 1, i] = 1.0
    return torch.cat([nodes.flatten(1), adj.flatten(1)], dim=1)


class Generator(nn.Module):
    def __init__(self, z_dim=8, hidden=48):
        super().__init__()
        self.z_dim = z_dim
        self.body = nn.Sequential(nn.Linear(z_dim, hidden), nn.LeakyReLU(0.1), nn.Linear(hidden, hidden), nn.LeakyReLU(0.1))
        self.nodes = nn.Linear(hidden, ATOMS * KINDS)
        self.edges = nn.Linear(hidden, ATOMS * ATOMS)

    def forward(self, z):
        h = self.body(z)
        nodes = F.softmax(self.nodes(h).view(-1, ATOMS, KINDS), dim=2)
        e = self.edges(h).view(-1, ATOMS, ATOMS)
        return torch.cat([nodes.flatten(1), torch.sigmoid(e + e.transpose(1, 2)).flatten(1)], dim=1)


class Discriminator(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        size = ATOMS * KINDS + ATOMS * ATOMS
        self.net = nn.Sequential(nn.Linear(size, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class GANTrainer:
    def __init__(self, lr=2e-3):
        self.g, self.d = Generator(), Discriminator()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=lr, betas=(0.5, 0.9))

    def bce(self, logits, value):
        return F.binary_cross_entropy_with_logits(logits, torch.full_like(logits, value))

    def discriminator_step(self, real):
        self.opt_d.zero_grad()
        fake = self.g(torch.randn(len(real), self.g.z_dim)).detach()
        loss = self.bce(self.d(real), 0.9) + self.bce(self.d(fake), 0.0)
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def generator_step(self, n):
        self.opt_g.zero_grad()
        fake = self.g(torch.randn(n, self.g.z_dim))
        loss = self.bce(self.d(fake), 1.0)
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def epoch(self, loader):
        for real in loader:
            logs = {"d": self.discriminator_step(real), "g": self.generator_step(len(real))}
        return logs


def validity(generator, n=100):
    with torch.no_grad():
        x = generator(torch.randn(n, generator.z_dim))
    adj = x[:, ATOMS * KINDS:].view(n, ATOMS, ATOMS)
    chain = torch.stack([adj[:, i, i + 1] for i in range(ATOMS - 1)], dim=1)
    return (chain > 0.5).all(dim=1).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    data = toy_molecules(192)
    trainer = GANTrainer()
    loader = DataLoader(data, batch_size=24, shuffle=True)
    for epoch in range(5):
        logs = trainer.epoch(loader)
        print(f"epoch {epoch} d {logs['d']:.3f} g {logs['g']:.3f}")
    print("valid chains", validity(trainer.g))
