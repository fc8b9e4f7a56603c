import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class PatchPairs(Dataset):
    def __init__(self, n, hr=16, seed=0):
        g = torch.Generator().manual_seed(seed)
        coarse = torch.rand(n, 3, 5, 5, generator=g)
        self.hr = F.interpolate(coarse, size=(hr, hr), mode="bicubic", align_corners=False).clamp(0, 1)
        self.lr = F.avg_pool2d(self.hr, 2)

    def __len__(self):
        return len(self.hr)

    def __getitem__(self, i):
        return self.lr[i], self.hr[i]


class ResBlock(nn.Module):
    def __init__(self, ch, res_scale=0.5):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU(True), nn.Conv2d(ch, ch, 3, padding=1))
        self.res_scale = res_scale

    def forward(self, x):
        return x + self.res_scale * self.body(x)


class EDSR(nn.Module):
    def __init__(self, ch=10, blocks=2, scale=2):
        super().__init__()
        self.head = nn.Conv2d(3, ch, 3, padding=1)
        self.body = nn.Sequential(*[ResBlock(ch) for _ in range(blocks)])
        self.tail = nn.Conv2d(ch, 3 * scale * scale, 3, padding=1)
        self.shuffle = nn.PixelShuffle(scale)

    def forward(self, x):
        base = F.interpolate(x, scale_factor=2, mode="nearest")
        h = self.head(x)
        return base + self.shuffle(self.tail(h + self.body(h)))


class EMA:
    def __init__(self, model, decay=0.98):
        self.model, self.decay = model, decay
        self.shadow, self.backup = {}, {}
        for name, param in model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.detach().clone()

    def update(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = self.decay * self.shadow[name] + (1.0 - self.decay) * param

    def apply_shadow(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                self.backup[name] = param.data.clone()
                param.data.copy_(self.shadow[name])

    def restore(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad:
                param.data.copy_(self.backup[name])
        self.backup = {}


def psnr(model, loader):
    model.eval()
    with torch.no_grad():
        mse = torch.stack([F.mse_loss(model(lr).clamp(0, 1), hr) for lr, hr in loader]).mean()
    model.train()
    return float(-10 * torch.log10(mse))


def train(model, ema, loader, val_loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        for lr, hr in loader:
            optimizer.zero_grad()
            loss = F.l1_loss(model(lr), hr)
            loss.backward()
            optimizer.step()
            ema.update()
        scheduler.step()
        ema.apply_shadow()
        print(f"epoch {epoch} l1 {loss.item():.4f} ema psnr {psnr(model, val_loader):.2f}")
        ema.restore()


if __name__ == "__main__":
    torch.manual_seed(30)
    net = EDSR()
    ema = EMA(net)
    train_loader = DataLoader(PatchPairs(48, seed=1), batch_size=8, shuffle=True)
    val_loader = DataLoader(PatchPairs(8, seed=2), batch_size=8)
    train(net, ema, train_loader, val_loader, epochs=3)
