import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class UNetSmall(nn.Module):
    def __init__(self, width=8, classes=2):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, 2 * width, 3, padding=1, stride=2), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.out = nn.Conv2d(2 * width, classes, 1)

    def forward(self, x):
        skip = self.down(x)
        return self.out(torch.cat([skip, self.up(self.mid(skip))], dim=1))


class IoULoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, mask):
        guess = torch.softmax(logits, dim=1)[:, 1]
        both = (guess * mask).sum(dim=(1, 2))
        either = guess.sum(dim=(1, 2)) + mask.sum(dim=(1, 2)) - both
        return 1 - ((both + self.smooth) / (either + self.smooth)).mean()


def cells(n, size=8):
    mask = torch.zeros(n, size, size)
    for i in range(n):
        r, c = torch.randint(1, size - 4, (2,)).tolist()
        mask[i, r:r + 3, c:c + 3] = 1
    image = mask.unsqueeze(1) + 0.3 * torch.randn(n, 1, size, size)
    return TensorDataset(image, mask)


class SegTrainer:
    def __init__(self, net, lr=5e-3):
        self.net, self.criterion = net, IoULoss()
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def train_step(self, image, mask):
        self.net.train()
        loss = self.criterion(self.net(image), mask)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def validate(self, loader):
        self.net.eval()
        scores = []
        for image, mask in loader:
            guess = self.net(image).argmax(dim=1).float()
            scores.append(((guess * mask).sum() / torch.clamp(guess + mask, max=1).sum()).item())
        return sum(scores) / len(scores)


torch.manual_seed(28)
trainer = SegTrainer(UNetSmall())
train, valid = DataLoader(cells(80), batch_size=10, shuffle=True), DataLoader(cells(20), batch_size=10)
for epoch in range(3):
    loss = sum(trainer.train_step(*batch) for batch in train) / len(train)
    print(f"epoch {epoch} loss {loss:.4f} iou {trainer.validate(valid):.3f}")
