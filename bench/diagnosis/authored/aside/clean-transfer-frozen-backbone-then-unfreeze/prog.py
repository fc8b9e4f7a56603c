import torch
from torch import nn, optim
from torch.nn import functional as F


class Backbone(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.BatchNorm2d(ch), nn.ReLU(inplace=True))
        self.layer2 = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.BatchNorm2d(ch), nn.ReLU(inplace=True))
        self.out_channels = ch

    def forward(self, x):
        return self.layer2(F.max_pool2d(self.layer1(x), 2)).mean((2, 3))


class TransferModel(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(backbone.out_channels, classes))
        self.frozen = []
        self.freeze(backbone.layer1, backbone.layer2)

    def freeze(self, *modules):
        for m in modules:
            m.requires_grad_(False)
            m.eval()
            self.frozen.append(m)

    def unfreeze(self, module):
        self.frozen.remove(module)
        module.requires_grad_(True)
        module.train(self.training)
        return list(module.parameters())

    def train(self, mode=True):
        super().train(mode)
        for m in getattr(self, "frozen", []):
            m.eval()
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


def textures(n, frequencies):
    y = torch.randint(len(frequencies), (n,))
    grid = torch.arange(14).float()
    wave = torch.stack([torch.sin(f * grid) for f in frequencies])[y]
    return wave[:, None, :, None] * wave[:, None, None, :] + 0.4 * torch.randn(n, 1, 14, 14), y


def run_epoch(model, data, optimizer, batch=32):
    x, y = data
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x)).split(batch):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    return total / len(x)


@torch.no_grad()
def score(model, data):
    model.eval()
    return (model(data[0]).argmax(1) == data[1]).float().mean().item()


def pretrain(classes=3):
    backbone = Backbone()
    model = nn.Sequential(backbone, nn.Linear(backbone.out_channels, classes))
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    data = textures(128, [0.4, 1.0, 2.0])
    for epoch in range(3):
        print("pretrain", epoch, round(run_epoch(model, data, optimizer), 4))
    return backbone


torch.manual_seed(12)
model = TransferModel(pretrain(), classes=4)
train_data, test_data = textures(128, [0.3, 0.7, 1.4, 2.4]), textures(64, [0.3, 0.7, 1.4, 2.4])
optimizer = optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1, momentum=0.9)
scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[6], gamma=0.1)
for epoch in range(8):
    if epoch == 3:
        optimizer.add_param_group({"params": model.unfreeze(model.backbone.layer2), "lr": 0.01, "initial_lr": 0.01})
        scheduler.base_lrs.append(0.01)
    loss = run_epoch(model, train_data, optimizer)
    scheduler.step()
    print("epoch %d loss %.4f test %.3f" % (epoch, loss, score(model, test_data)))
