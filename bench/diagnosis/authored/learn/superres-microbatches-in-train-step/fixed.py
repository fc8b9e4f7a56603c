import torch
import torch.nn as nn
import torch.nn.functional as F


class ResidualBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(c, c, 3, padding=1), nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x):
        return x + 0.1 * self.conv2(F.relu(self.conv1(x)))


class EDSR(nn.Module):
    def __init__(self, channels=8, blocks=2, scale=2):
        super().__init__()
        self.head = nn.Conv2d(1, channels, 3, padding=1)
        self.body = nn.Sequential(*[ResidualBlock(channels) for _ in range(blocks)])
        self.tail = nn.Sequential(nn.Conv2d(channels, scale ** 2, 3, padding=1), nn.PixelShuffle(scale))

    def forward(self, x):
        h = self.head(x)
        return self.tail(h + self.body(h))


class PatchSource:
    def __init__(self, n=64, size=12):
        xs = torch.linspace(0, 6.28, size)
        freq, phase = torch.rand(n, 1, 1) * 2 + 0.5, torch.rand(n, 1, 1) * 6
        self.hr = torch.sin(freq * xs[None, :, None] + phase).mul(torch.cos(freq * xs[None, None, :])).unsqueeze(1)
        self.lr = F.avg_pool2d(self.hr, 2)

    def epoch(self, batch_size):
        for idx in torch.randperm(len(self.hr)).split(batch_size):
            yield self.lr[idx], self.hr[idx]


class LightningLikeModule:
    def __init__(self, model, lr=0.05, max_micro_batch=4):
        self.model, self.max_micro_batch = model, max_micro_batch
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.log = []

    def training_step(self, lr, hr):
        return F.l1_loss(self.model(lr), hr)

    def fit_batch(self, lr, hr):
        self.optimizer.zero_grad()
        total = 0.0
        for small_lr, small_hr in zip(lr.split(self.max_micro_batch), hr.split(self.max_micro_batch)):
            loss = self.training_step(small_lr, small_hr)
            (loss * len(small_lr) / len(lr)).backward()
            total += loss.item() * len(small_lr)
        self.optimizer.step()
        self.log.append(total / len(lr))

    def psnr(self, source):
        with torch.no_grad():
            mse = F.mse_loss(self.model(source.lr), source.hr)
        return (10 * torch.log10(4 / mse)).item()


if __name__ == "__main__":
    torch.manual_seed(18)
    train, valid = PatchSource(), PatchSource(16)
    module = LightningLikeModule(EDSR())
    for epoch in range(3):
        for lr, hr in train.epoch(16):
            module.fit_batch(lr, hr)
        print("epoch %d l1 %.4f psnr %.2f" % (epoch, sum(module.log[-4:]) / 4, module.psnr(valid)))
    lr, hr = valid.lr, valid.hr
    whole = torch.autograd.grad(module.training_step(lr, hr), module.model.head.weight)[0]
    rate, module.optimizer.param_groups[0]["lr"] = 0.05, 0.0
    module.fit_batch(lr, hr)
    ratio = module.model.head.weight.grad.norm() / whole.norm()
    print("gradient ratio to the whole batch %.2f" % ratio.item())
