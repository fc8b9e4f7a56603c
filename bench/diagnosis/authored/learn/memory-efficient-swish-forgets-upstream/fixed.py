import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class SwishImplementation(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i * torch.sigmoid(i)
        ctx.save_for_backward(i)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        i, = ctx.saved_tensors
        sig = torch.sigmoid(i)
        return grad_output * (sig * (1 + i * (1 - sig)))


class MemoryEfficientSwish(nn.Module):
    def forward(self, x):
        return SwishImplementation.apply(x)


class SqueezeExcite(nn.Module):
    def __init__(self, ch, reduced):
        super().__init__()
        self.reduce, self.expand = nn.Conv2d(ch, reduced, 1), nn.Conv2d(reduced, ch, 1)
        self.act = MemoryEfficientSwish()

    def forward(self, x):
        s = F.adaptive_avg_pool2d(x, 1)
        return torch.sigmoid(self.expand(self.act(self.reduce(s)))) * x


class MBConv(nn.Module):
    def __init__(self, cin, cout, expand=3, stride=1):
        super().__init__()
        mid = cin * expand
        self.use_skip = stride == 1 and cin == cout
        self.body = nn.Sequential(
            nn.Conv2d(cin, mid, 1, bias=False), nn.BatchNorm2d(mid), MemoryEfficientSwish(),
            nn.Conv2d(mid, mid, 3, stride, 1, groups=mid, bias=False), nn.BatchNorm2d(mid), MemoryEfficientSwish(),
            SqueezeExcite(mid, max(1, cin // 4)),
            nn.Conv2d(mid, cout, 1, bias=False), nn.BatchNorm2d(cout),
        )

    def forward(self, x):
        return x + self.body(x) if self.use_skip else self.body(x)


class EfficientNetTiny(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8))
        self.blocks = nn.Sequential(MBConv(8, 8), MBConv(8, 12, stride=2), MBConv(12, 12))
        self.head = nn.Linear(12, classes)

    def forward(self, x):
        x = self.blocks(F.silu(self.stem(x)))
        return self.head(x.mean((2, 3)))


class Textures(Dataset):
    def __init__(self, n, size=16):
        self.y = torch.randint(3, (n,))
        x = torch.randn(n, size, size)
        x[self.y == 1] = (x[self.y == 1] + x[self.y == 1].roll(1, 1) + x[self.y == 1].roll(2, 1)) / 1.7
        x[self.y == 2] = (x[self.y == 2] + x[self.y == 2].roll(1, 2) + x[self.y == 2].roll(2, 2)) / 1.7
        self.x = x.unsqueeze(1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main(epochs=4):
    torch.manual_seed(19)
    loader = DataLoader(Textures(160), batch_size=32, shuffle=True)
    model = EfficientNetTiny()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3, alpha=0.9, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        total, correct = 0.0, 0
        for x, y in loader:
            optimizer.zero_grad()
            logits = model(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.1)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
        print("epoch %d loss %.4f accuracy %.3f" % (epoch, total / 160, correct / 160))
    return model


if __name__ == "__main__":
    main()
