from collections import OrderedDict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trunk(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU())
        self.body = nn.Sequential(nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU())

    def forward(self, x):
        return self.body(self.stem(x))


class SegHead(nn.Sequential):
    def __init__(self, width, classes):
        super().__init__(nn.Conv2d(width, classes, 1), nn.Upsample(scale_factor=2, mode="nearest"))


class DepthHead(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Conv2d(width, 1, 1), nn.Softplus(), nn.Upsample(scale_factor=2, mode="nearest"))


class MultiTaskNet(nn.Module):
    def __init__(self, classes=4, width=12):
        super().__init__()
        self.trunk = Trunk(width)
        self.heads = nn.ModuleDict({"seg": SegHead(width, classes), "depth": DepthHead(width)})

    def forward(self, x):
        z = self.trunk(x)
        return {name: head(z) for name, head in self.heads.items()}


class TaskManager:
    """One optimizer per head and one for the shared trunk."""

    def __init__(self, model, lrs):
        self.model = model
        self.criteria = {"seg": nn.CrossEntropyLoss(), "depth": nn.L1Loss()}
        self.optims = OrderedDict()
        for name, lr in lrs.items():
            self.optims[name] = torch.optim.SGD(model.heads[name].parameters(), lr=lr, momentum=0.9)
        self.trunk_optim = torch.optim.SGD(model.trunk.parameters(), lr=min(lrs.values()), momentum=0.9)

    def compute_losses(self, images, targets):
        outputs = self.model(images)
        return OrderedDict((k, self.criteria[k](outputs[k], targets[k])) for k in self.optims)

    def optimize(self, losses):
        last = list(losses)[-1]
        for name, loss in losses.items():
            self.trunk_optim.zero_grad()
            self.optims[name].zero_grad()
            loss.backward(retain_graph=name != last)
            self.optims[name].step()
            self.trunk_optim.step()
        return {k: v.item() for k, v in losses.items()}


def synthetic_scenes(n=48, size=12):
    depth = torch.rand(n, 1, size, size) * 4 + 1
    seg = (depth.squeeze(1) - 1).long().clamp(0, 3)
    rgb = torch.cat([1 / depth, depth / 5, torch.rand_like(depth)], dim=1)
    return TensorDataset(rgb, seg, depth)


def pixel_accuracy(model, images, seg):
    model.eval()
    with torch.no_grad():
        acc = (model(images)["seg"].argmax(1) == seg).float().mean().item()
    model.train()
    return acc


def main():
    torch.manual_seed(3)
    scenes = synthetic_scenes()
    loader = DataLoader(scenes, batch_size=12, shuffle=True)
    model = MultiTaskNet()
    manager = TaskManager(model, {"seg": 0.05, "depth": 0.01})
    for epoch in range(2):
        for rgb, seg, depth in loader:
            losses = manager.compute_losses(rgb, {"seg": seg, "depth": depth})
            logs = manager.optimize(losses)
        print(epoch, {k: round(v, 4) for k, v in logs.items()})
    print("pixel accuracy", pixel_accuracy(model, *scenes.tensors[:2]))


if __name__ == "__main__":
    main()
