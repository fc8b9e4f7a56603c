import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, inputs=10, width=24):
        super().__init__()
        self.layer1, self.layer2 = nn.Linear(inputs, width), nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.layer2(torch.tanh(self.layer1(x))))


class Model(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        return self.head(self.backbone(x))


def task(n, classes, seed):
    g = torch.Generator().manual_seed(seed)
    centre = 1.5 * torch.randn(classes, 10, generator=g)
    y = torch.randint(0, classes, (n,))
    return DataLoader(TensorDataset(centre[y] + torch.randn(n, 10), y), batch_size=16, shuffle=True)


def pretrain(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("pretrained", round(loss.item(), 4))


class FineTuner:
    def __init__(self, model, classes, lr=3e-3, decay=0.1):
        self.model = model
        model.head = nn.Linear(24, classes)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=decay)

    def hold_backbone(self):
        for p in self.model.backbone.parameters():
            p.grad.zero_()

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.hold_backbone()
        self.optimizer.step()
        return loss.item()

    def run(self, loader, epochs):
        before = self.model.backbone.layer1.weight.detach().clone()
        for epoch in range(epochs):
            for x, y in loader:
                loss = self.step(x, y)
            drift = (self.model.backbone.layer1.weight.detach() - before).abs().max().item()
            print(f"epoch {epoch} loss {loss:.4f} drift {drift:.6f}")


if __name__ == "__main__":
    torch.manual_seed(42)
    model = Model(classes=5)
    pretrain(model, task(128, 5, seed=1), epochs=2)
    FineTuner(model, classes=3).run(task(96, 3, seed=2), epochs=3)
