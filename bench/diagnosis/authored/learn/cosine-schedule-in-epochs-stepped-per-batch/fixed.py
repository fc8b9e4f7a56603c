import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Patchify(nn.Module):
    def __init__(self, patch, channels, width):
        super().__init__()
        self.conv = nn.Conv2d(channels, width, patch, stride=patch)

    def forward(self, x):
        return self.conv(x).flatten(2).transpose(1, 2)


class MixerBlock(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.channels = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, classes=3, width=12):
        super().__init__()
        self.patches = Patchify(3, 1, width)
        self.blocks = nn.Sequential(MixerBlock(9, width), MixerBlock(9, width))
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.blocks(self.patches(x)).mean(dim=1))


def glyphs(n):
    label = torch.randint(0, 3, (n,))
    x = 0.4 * torch.randn(n, 1, 9, 9)
    x[label == 0, :, 4] += 1
    x[label == 1, :, :, 4] += 1
    x[label == 2] += torch.eye(9)
    return TensorDataset(x, label)


class Training:
    def __init__(self, model, epochs=6, lr=0.02):
        self.model, self.epochs = model, epochs
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=epochs)

    def run(self, loader):
        for epoch in range(self.epochs):
            total = 0.0
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = nn.functional.cross_entropy(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            self.scheduler.step()
            lr = self.optimizer.param_groups[0]["lr"]
            print(f"epoch {epoch} loss {total / len(loader):.4f} lr {lr:.5f}")


if __name__ == "__main__":
    torch.manual_seed(60)
    net = Mixer()
    Training(net).run(DataLoader(glyphs(96), batch_size=8, shuffle=True))
    net.eval()
    with torch.no_grad():
        x, y = glyphs(30).tensors
        print("accuracy", (net(x).argmax(dim=1) == y).float().mean().item())
