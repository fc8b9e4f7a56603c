import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def pair_distances(pos):
    diff = pos.unsqueeze(-2) - pos.unsqueeze(-3)
    atoms = pos.shape[-2]
    i, j = torch.triu_indices(atoms, atoms, 1)
    return diff[..., i, j, :].pow(2).sum(-1).add(1e-9).sqrt()


class Clusters(Dataset):
    """Four atoms with a Morse-like energy and its forces."""

    def __init__(self, n=96, atoms=4):
        corner = torch.tensor([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])[:atoms]
        self.pos = corner + 0.15 * torch.randn(n, atoms, 3)
        pos = self.pos.clone().requires_grad_()
        energy = (1 - torch.exp(-(pair_distances(pos) - 1.1))).pow(2).sum(-1)
        self.force = -torch.autograd.grad(energy.sum(), pos)[0]
        self.energy = energy.detach()
        self.dist = pair_distances(self.pos)

    def __len__(self):
        return len(self.pos)

    def __getitem__(self, i):
        return {"pos": self.pos[i], "dist": self.dist[i], "energy": self.energy[i], "force": self.force[i]}


class Potential(nn.Module):
    def __init__(self, centres=8, hidden=24):
        super().__init__()
        self.register_buffer("centre", torch.linspace(0.5, 2.0, centres))
        self.net = nn.Sequential(nn.Linear(centres, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, batch):
        dist = batch["dist"]
        basis = torch.exp(-10 * (dist.unsqueeze(-1) - self.centre).pow(2))
        return self.net(basis).squeeze(-1).sum(dim=1)


class ForceField:
    def __init__(self, model, weight=0.5, lr=5e-3):
        self.model, self.weight = model, weight
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def predict(self, batch):
        batch["pos"].requires_grad_()
        energy = self.model(batch)
        grad = torch.autograd.grad(energy.sum(), batch["pos"], create_graph=True, allow_unused=True)[0]
        force = -grad if grad is not None else torch.zeros_like(batch["pos"])
        return energy, force

    def step(self, batch):
        energy, force = self.predict(batch)
        loss_e = (energy - batch["energy"]).pow(2).mean()
        loss_f = (force - batch["force"]).pow(2).mean()
        self.optimizer.zero_grad()
        (loss_e + self.weight * loss_f).backward()
        self.optimizer.step()
        return loss_e.item(), loss_f.item()


torch.manual_seed(34)
field = ForceField(Potential())
loader = DataLoader(Clusters(), batch_size=16, shuffle=True)
for epoch in range(3):
    for batch in loader:
        loss_e, loss_f = field.step(batch)
    print(f"epoch {epoch} energy {loss_e:.4f} force {loss_f:.4f}")
