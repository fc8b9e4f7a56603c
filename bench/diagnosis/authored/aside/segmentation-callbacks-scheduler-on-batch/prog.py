import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, Dataset


class Discs(Dataset):
    def __init__(self, n, size=16):
        yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size))
        self.samples = []
        for _ in range(n):
            cy, cx = torch.randint(3, size - 3, (2,))
            r = torch.randint(2, 6, ()).item()
            mask = ((yy - cy) ** 2 + (xx - cx) ** 2 < r * r).float()
            self.samples.append((mask + 0.5 * torch.randn(size, size), mask))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        image, mask = self.samples[i]
        return image[None], mask[None]


def double_conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class SmallUNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.down1, self.down2 = double_conv(1, ch), double_conv(ch, ch * 2)
        self.up = nn.ConvTranspose2d(ch * 2, ch, 2, stride=2)
        self.merge = double_conv(ch * 2, ch)
        self.out = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        skip = self.down1(x)
        deep = self.down2(F.max_pool2d(skip, 2))
        return self.out(self.merge(torch.cat([skip, self.up(deep)], dim=1)))


class Callback:
    def on_batch_end(self, trainer, logs):
        pass

    def on_epoch_end(self, trainer, logs):
        pass


class LRScheduler(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_batch_end(self, trainer, logs):
        self.scheduler.step()


class PrintLogs(Callback):
    def on_epoch_end(self, trainer, logs):
        lr = trainer.optimizer.param_groups[0]["lr"]
        print("epoch %d loss %.4f iou %.3f lr %.2e" % (trainer.epoch, logs["loss"], logs["iou"], lr))


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.epoch = 0

    def emit(self, event, logs):
        for callback in self.callbacks:
            getattr(callback, event)(self, logs)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            self.model.train()
            losses, inter, union = [], 0, 0
            for image, mask in loader:
                self.optimizer.zero_grad()
                logits = self.model(image)
                loss = F.binary_cross_entropy_with_logits(logits, mask)
                loss.backward()
                self.optimizer.step()
                losses.append(loss.item())
                hit, true = logits.detach() > 0, mask > 0
                inter += (hit & true).sum().item()
                union += (hit | true).sum().item()
                self.emit("on_batch_end", {"loss": losses[-1]})
            self.emit("on_epoch_end", {"loss": sum(losses) / len(losses), "iou": inter / max(union, 1)})


torch.manual_seed(1)
loader = DataLoader(Discs(64), batch_size=8, shuffle=True)
model = SmallUNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
trainer = Trainer(model, optimizer, [LRScheduler(StepLR(optimizer, step_size=3, gamma=0.3)), PrintLogs()])
trainer.fit(loader, epochs=5)
