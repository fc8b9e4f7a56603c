import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class ElementAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(width, 1)
        self.message = nn.Sequential(nn.Linear(width, width), nn.SiLU())

    def forward(self, elements, fraction):
        score = self.gate(elements).squeeze(-1) + torch.log(fraction)
        weight = torch.softmax(score, dim=1)
        return (weight.unsqueeze(-1) * self.message(elements)).sum(dim=1)


class Roost(nn.Module):
    def __init__(self, elements=12, width=16):
        super().__init__()
        self.embed = nn.Embedding(elements, width)
        self.pool = ElementAttention(width)
        self.head = nn.Sequential(nn.Linear(width, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, atoms, fraction):
        return self.head(self.pool(self.embed(atoms), fraction)).squeeze(-1)


def compounds(n, elements=12):
    atoms = torch.stack([torch.randperm(elements)[:3] for _ in range(n)])
    raw = torch.rand(n, 3) + 0.2
    fraction = raw / raw.sum(dim=1, keepdim=True)
    property_of = torch.linspace(0, 4, elements)
    gap = (property_of[atoms] * fraction).sum(dim=1) + 0.1 * torch.randn(n)
    return TensorDataset(atoms, fraction, gap)


def run_epoch(model, loader, optimizer=None):
    model.train(optimizer is not None)
    total = 0.0
    with torch.set_grad_enabled(optimizer is not None):
        for atoms, fraction, gap in loader:
            loss = nn.functional.l1_loss(model(atoms, fraction), gap)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item()
    return total / len(loader)


def train(model, train_loader, val_loader, epochs, patience):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    best_val_loss, best_state_dict, waiting = float("inf"), None, 0
    for epoch in range(epochs):
        train_loss = run_epoch(model, train_loader, optimizer)
        val_loss = run_epoch(model, val_loader)
        print(f"epoch {epoch} train {train_loss:.4f} val {val_loss:.4f}")
        if val_loss < best_val_loss:
            best_val_loss = val_loss
            best_state_dict = copy.deepcopy(model.state_dict())
            waiting = 0
        else:
            waiting += 1
            if waiting >= patience:
                break
    if best_state_dict is not None:
        model.load_state_dict(best_state_dict)
    return best_val_loss


torch.manual_seed(33)
data = compounds(140)
train_set, val_set = random_split(data, [112, 28])
model = Roost()
best = train(model, DataLoader(train_set, batch_size=16, shuffle=True), DataLoader(val_set, batch_size=28), 6, 3)
print("best", round(best, 4))
