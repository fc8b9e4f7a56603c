import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoCrops:
    def __init__(self, noise=0.3, drop=0.2, shift=2):
        self.noise, self.drop, self.shift = noise, drop, shift

    def augment(self, x):
        s = int(torch.randint(-self.shift, self.shift + 1, ()))
        x = x.roll(s, dims=-1) + self.noise * torch.randn_like(x)
        return x * (torch.rand_like(x) > self.drop).float()

    def __call__(self, x):
        return self.augment(x), self.augment(x)


class SpectraEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, stride=2, padding=2), nn.BatchNorm1d(8), nn.ReLU(inplace=True),
            nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.BatchNorm1d(16), nn.ReLU(inplace=True),
        )
        self.fc = nn.Linear(16 * 10, dim)

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)).flatten(1))


def projector(dim, out):
    return nn.Sequential(nn.Linear(dim, out, bias=False), nn.BatchNorm1d(out), nn.ReLU(inplace=True),
                         nn.Linear(out, out, bias=False), nn.BatchNorm1d(out, affine=False))


class SimSiam(nn.Module):
    def __init__(self, dim=24, proj=24, bottleneck=8):
        super().__init__()
        self.backbone = nn.Sequential(SpectraEncoder(dim), projector(dim, proj))
        self.predictor = nn.Sequential(nn.Linear(proj, bottleneck), nn.BatchNorm1d(bottleneck),
                                       nn.ReLU(inplace=True), nn.Linear(bottleneck, proj))

    def forward(self, x1, x2):
        z1, z2 = self.backbone(x1), self.backbone(x2)
        return {"p": (self.predictor(z1), self.predictor(z2)), "z": (z1, z2)}


def negative_cosine(p, z):
    return -F.cosine_similarity(p, z.detach(), dim=1).mean()


def simsiam_loss(out):
    (p1, p2), (z1, z2) = out["p"], out["z"]
    return 0.5 * negative_cosine(p1, z2) + 0.5 * negative_cosine(p2, z1)


@torch.no_grad()
def collapse_level(model, x):
    model.eval()
    z = F.normalize(model.backbone(x), dim=1)
    return z.std(dim=0).mean().item() * z.size(1) ** 0.5


@torch.no_grad()
def knn_accuracy(model, bank, bank_y, x, y, k=5):
    model.eval()
    sim = F.normalize(model.backbone(x), dim=1) @ F.normalize(model.backbone(bank), dim=1).t()
    votes = bank_y[sim.topk(k, dim=1).indices]
    return (votes.mode(dim=1).values == y).float().mean().item()


def spectra(n, classes=4, length=40):
    y = torch.randint(classes, (n,))
    grid = torch.arange(length).float()
    centres = torch.tensor([[8.0, 30.0], [15.0, 22.0], [5.0, 18.0], [25.0, 34.0]])[y]
    peaks = torch.exp(-0.5 * ((grid[None, None] - centres[:, :, None]) / 2.0) ** 2).sum(1)
    return 2 * peaks + 0.1 * torch.randn(n, length), y


torch.manual_seed(66)
x, y = spectra(192)
test_x, test_y = spectra(64)
model, crops = SimSiam(), TwoCrops()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
for epoch in range(6):
    model.train()
    losses = []
    for idx in torch.randperm(len(x)).split(48):
        loss = simsiam_loss(model(*crops(x[idx])))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    schedule.step()
    print("epoch %d loss %.4f std %.3f" % (epoch, sum(losses) / len(losses), collapse_level(model, x)))
print("knn accuracy %.3f" % knn_accuracy(model, x, y, test_x, test_y))
