import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Large(nn.Module):
    def __init__(self, inputs=10, classes=4):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, classes))

    def forward(self, x):
        return self.layers(x)


class Small(nn.Module):
    def __init__(self, inputs=10, classes=4):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(inputs, 8), nn.Linear(8, classes)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class Configs:
    temperature = 5.0
    epochs = 3

    def __init__(self, train, valid):
        self.train_loader, self.valid_loader = train, valid
        self.large, self.model = Large(), Small()
        self.kl_div_loss = nn.KLDivLoss(log_target=True, reduction="batchmean")
        self.loss_func = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def train_large(self, steps=2):
        opt = torch.optim.Adam(self.large.parameters(), lr=1e-2)
        for _ in range(steps):
            for data, target in self.train_loader:
                opt.zero_grad()
                self.loss_func(self.large(data), target).backward()
                opt.step()
        self.large.eval()

    def step(self, data, target):
        with torch.no_grad():
            large_logits = self.large(data)
        output = self.model(data)
        soft_targets = F.log_softmax(large_logits / self.temperature, dim=-1)
        soft_prob = F.log_softmax(large_logits / self.temperature, dim=-1)
        soft_loss = self.kl_div_loss(soft_prob, soft_targets)
        label_loss = self.loss_func(output, target)
        loss = (self.temperature ** 2) * soft_loss + 0.5 * label_loss
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return soft_loss.item(), label_loss.item()

    def accuracy(self):
        self.model.eval()
        with torch.no_grad():
            good = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.valid_loader)
        self.model.train()
        return good / len(self.valid_loader.dataset)

    def run(self):
        self.train_large()
        for epoch in range(self.epochs):
            for data, target in self.train_loader:
                soft, label = self.step(data, target)
            print(f"epoch {epoch} soft {soft:.4f} label {label:.4f} acc {self.accuracy():.3f}")


def clusters(n):
    y = torch.randint(0, 4, (n,))
    centre = torch.eye(4).repeat(1, 3)[:, :10] * 2
    return TensorDataset(centre[y] + torch.randn(n, 10), y)


torch.manual_seed(14)
Configs(DataLoader(clusters(160), batch_size=20, shuffle=True), DataLoader(clusters(60), batch_size=30)).run()
