import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class BlobDetection(Dataset):
    def __init__(self, n, grid=6):
        self.heat = torch.zeros(n, 1, grid, grid)
        self.image = 0.1 * torch.randn(n, 3, grid * 4, grid * 4)
        for k in range(n):
            y, x = torch.randint(grid, (2,)).tolist()
            self.heat[k, 0, y, x] = 1.0
            self.image[k, :, 4 * y:4 * y + 4, 4 * x:4 * x + 4] += 1.0

    def __len__(self):
        return len(self.heat)

    def __getitem__(self, i):
        return self.image[i], self.heat[i]


class Backbone(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(width, width, 3, stride=2, padding=1)

    def forward(self, x):
        return F.leaky_relu(self.conv2(F.leaky_relu(self.conv1(x), 0.1)), 0.1)


class ClassificationHead(nn.Module):
    def __init__(self, width=12, prior=0.01):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.relu = nn.ReLU()
        self.cls_logits = nn.Conv2d(width, 1, 3, padding=1)
        self.reset_parameters(prior)

    def reset_parameters(self, prior):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.normal_(m.weight, std=0.01)
                nn.init.zeros_(m.bias)
        nn.init.constant_(self.cls_logits.bias, -math.log((1 - prior) / prior))

    def forward(self, f):
        return self.cls_logits(self.relu(self.conv(f)))


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.head = Backbone(), ClassificationHead()

    def forward(self, x):
        return self.head(self.backbone(x))


def focal_loss(logits, target, alpha=0.75, gamma=2.0):
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p = torch.sigmoid(logits)
    p_t = p * target + (1 - p) * (1 - target)
    a_t = alpha * target + (1 - alpha) * (1 - target)
    return (a_t * (1 - p_t) ** gamma * ce).sum() / target.sum().clamp(min=1)


def train(model, loader, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        for image, heat in loader:
            loss = focal_loss(model(image), heat)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
        print("epoch %d focal %.4f" % (epoch, loss.item()))


def hit_rate(model, data):
    model.eval()
    with torch.no_grad():
        scores = model(data.image).flatten(1)
    return (scores.argmax(1) == data.heat.flatten(1).argmax(1)).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(22)
    train_set, test_set = BlobDetection(64), BlobDetection(32)
    model = Detector()
    train(model, DataLoader(train_set, batch_size=16, shuffle=True), epochs=4)
    print("hit rate %.3f" % hit_rate(model, test_set))
    alive = (model.head.relu(model.head.conv(model.backbone(test_set.image))) > 0).any().item()
