import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class TinyFCN(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.drop = nn.Dropout2d(0.3)
        self.score = nn.Conv2d(16, classes, 1)
        self.up = nn.ConvTranspose2d(classes, classes, 2, stride=2)

    def forward(self, x):
        h = F.relu(self.conv1(x))
        h = F.max_pool2d(F.relu(self.conv2(h)), 2)
        return self.up(self.score(self.drop(h)))


def shapes(n, size=8):
    label = torch.zeros(n, size, size).long()
    image = 0.2 * torch.randn(n, 3, size, size)
    for i in range(n):
        r, c = torch.randint(0, size - 3, (2,)).tolist()
        kind = int(torch.randint(1, 3, (1,)))
        label[i, r:r + 3, c:c + 3] = kind
        image[i, kind, r:r + 3, c:c + 3] += 1.0
    return TensorDataset(image, label)


class Trainer:
    def __init__(self, model, optimizer, train_loader, val_loader, max_iter, interval_validate):
        self.model, self.optim = model, optimizer
        self.train_loader, self.val_loader = train_loader, val_loader
        self.max_iter, self.interval_validate = max_iter, interval_validate
        self.iteration, self.epoch, self.best = 0, 0, float("inf")

    def validate(self):
        training = self.model.training
        self.model.eval()
        total = 0.0
        for data, target in self.val_loader:
            with torch.no_grad():
                total += F.cross_entropy(self.model(data), target).item()
        total /= len(self.val_loader)
        self.best = min(self.best, total)
        print(f"iteration {self.iteration} validation {total:.4f} best {self.best:.4f}")
        if training:
            self.model.train()

    def train_epoch(self):
        self.model.train()
        for data, target in self.train_loader:
            if self.iteration % self.interval_validate == 0:
                self.validate()
            self.iteration += 1
            self.optim.zero_grad()
            loss = F.cross_entropy(self.model(data), target)
            loss.backward()
            self.optim.step()
            if self.iteration >= self.max_iter:
                return

    def train(self):
        while self.iteration < self.max_iter:
            self.train_epoch()
            self.epoch += 1


if __name__ == "__main__":
    torch.manual_seed(21)
    model = TinyFCN()
    trainer = Trainer(
        model,
        torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9),
        DataLoader(shapes(64), batch_size=8, shuffle=True),
        DataLoader(shapes(16), batch_size=8),
        max_iter=20,
        interval_validate=5,
    )
    trainer.train()
