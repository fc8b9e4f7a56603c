"""A residual network in the manner of ResNet-18: four stages of two blocks."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, fan_in: int, fan_out: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(fan_in, fan_out, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(fan_out)
        self.conv2 = nn.Conv2d(fan_out, fan_out, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(fan_out)
        self.relu = nn.ReLU()
        self.shortcut: nn.Module | None = None
        if stride != 1 or fan_in != fan_out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(fan_in, fan_out, 1, stride=stride, bias=False),
                nn.BatchNorm2d(fan_out),
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.shortcut is not None:
            x = self.shortcut(x)
        return self.relu(out + x)


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1, bias=False),
            nn.BatchNorm2d(4),
            nn.ReLU(),
        )
        self.stage1 = nn.Sequential(Block(4, 4, 1), Block(4, 4, 1))
        self.stage2 = nn.Sequential(Block(4, 8, 2), Block(8, 8, 1))
        self.stage3 = nn.Sequential(Block(8, 16, 2), Block(16, 16, 1))
        self.stage4 = nn.Sequential(Block(16, 32, 2), Block(32, 32, 1))
        self.fc = nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        x = self.stage4(self.stage3(self.stage2(self.stage1(x))))
        return self.fc(x.mean(dim=(2, 3)))


torch.manual_seed(0)
model = ResNet()
images = torch.randn(2, 3, 16, 16)
labels = torch.randint(0, 10, (2,))
loss = nn.functional.cross_entropy(model(images), labels)
loss.backward()
