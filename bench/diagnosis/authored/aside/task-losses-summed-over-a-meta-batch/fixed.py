import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GraphLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own, self.other = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs, bias=False)

    def forward(self, x, adjacency):
        degree = adjacency.sum(dim=-1, keepdim=True).clamp(min=1)
        return self.own(x) + adjacency @ self.other(x) / degree


class MoleculeNet(nn.Module):
    def __init__(self, atoms=5, width=16):
        super().__init__()
        self.embed = nn.Embedding(atoms, width)
        self.layer1, self.layer2 = GraphLayer(width, width), GraphLayer(width, width)
        self.readout = nn.Linear(width, 1)

    def forward(self, kind, adjacency):
        h = torch.relu(self.layer1(self.embed(kind), adjacency))
        h = torch.relu(self.layer2(h, adjacency))
        return self.readout(h.mean(dim=1)).squeeze(-1)


def molecules(n, size=6, atoms=5):
    kind = torch.randint(0, atoms, (n, size))
    upper = torch.triu((torch.rand(n, size, size) < 0.4).float(), 1)
    adjacency = upper + upper.transpose(1, 2)
    value = kind.float().mean(dim=1) + 0.3 * adjacency.sum(dim=(1, 2)) / size
    return TensorDataset(kind, adjacency, value + 0.05 * torch.randn(n))


class VirtualBatchTrainer:
    """Large batches in slices that fit into memory."""

    def __init__(self, model, slices=4, lr=0.02):
        self.model, self.slices = model, slices
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.SmoothL1Loss()

    def train_batch(self, kind, adjacency, value):
        self.optimizer.zero_grad()
        total = 0.0
        pieces = zip(kind.chunk(self.slices), adjacency.chunk(self.slices), value.chunk(self.slices))
        for k, a, v in pieces:
            loss = self.criterion(self.model(k, a), v)
            (loss * len(v) / len(value)).backward()
            total += loss.item() * len(v)
        self.optimizer.step()
        return total / len(value)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            losses = [self.train_batch(*batch) for batch in loader]
            print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    torch.manual_seed(50)
    trainer = VirtualBatchTrainer(MoleculeNet())
    trainer.fit(DataLoader(molecules(192), batch_size=32, shuffle=True), epochs=3)
