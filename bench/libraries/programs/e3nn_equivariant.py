"""e3nn: tensor products with spherical harmonics fit energies, and forces as their derivatives.

packages: e3nn
"""
import torch
from e3nn import o3
from e3nn.nn import FullyConnectedNet

torch.manual_seed(0)


class Potential(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sh = o3.Irreps("0e + 1o")
        self.product = o3.FullyConnectedTensorProduct("4x0e", self.sh, "4x0e + 2x1o", shared_weights=False)
        self.weights = FullyConnectedNet([4, 16, self.product.weight_numel], torch.nn.functional.silu)
        self.last = o3.FullyConnectedTensorProduct("4x0e + 2x1o", "4x0e + 2x1o", "0e")
        self.embed = torch.nn.Parameter(torch.randn(4))

    def forward(self, positions):
        n = len(positions)
        a, b = torch.triu_indices(n, n, 1)
        difference = positions[b] - positions[a]
        length = difference.norm(dim=1, keepdim=True)
        radial = torch.exp(-(length - torch.linspace(0.5, 2, 4)) ** 2)
        sh = o3.spherical_harmonics(self.sh, difference, normalize=True, normalization="component")
        message = self.product(self.embed.expand(len(a), 4), sh, self.weights(radial))
        node = torch.zeros(n, message.shape[1]).index_add(0, a, message)
        return self.last(node, node).sum()


model = Potential()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
rest = torch.randn(5, 3)
for step in range(4):
    positions = (rest + 0.1 * torch.randn(5, 3)).requires_grad_(True)
    energy = model(positions)
    forces = -torch.autograd.grad(energy, positions, create_graph=True)[0]
    goal = (positions - rest).pow(2).sum().detach()
    loss = (energy - goal) ** 2 + (forces + 2 * (positions - rest).detach()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
