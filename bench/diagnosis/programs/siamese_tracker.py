"""A siamese tracker: a template is correlated with a search region, and the peak is where the object is."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(121)


class Backbone(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(1, channels, 3, bias=False)
        self.norm1 = nn.GroupNorm(2, channels)
        self.conv2 = nn.Conv2d(channels, channels, 3)

    def forward(self, x):
        x = self.conv1(x)
        x = F.relu(self.norm1(x))
        return self.conv2(x)


class Tracker(nn.Module):
    def __init__(self, channels=6):
        super().__init__()
        self.backbone = Backbone(channels)
        self.scale = nn.Parameter(torch.tensor(0.1))
        self.shift = nn.Parameter(torch.tensor(0.0))

    def correlate(self, template, search):
        batch, channels = search.shape[:2]
        flat = search.reshape(1, batch * channels, *search.shape[2:])
        response = F.conv2d(flat, template, groups=batch)
        return response.transpose(0, 1)

    def forward(self, template, search):
        response = self.correlate(self.backbone(template), self.backbone(search))
        return self.scale * response.squeeze(1) + self.shift


def scene(n):
    """Templates (n, 1, 7, 7), search regions (n, 1, 13, 13), and where the object is in the response map."""
    patterns = torch.rand(n, 1, 7, 7)
    search = 0.3 * torch.rand(n, 1, 13, 13)
    places = torch.randint(0, 7, (n, 2))
    for i, (row, column) in enumerate(places.tolist()):
        search[i, :, row : row + 7, column : column + 7] += patterns[i]
    return patterns, search, places


def label_map(places, size, radius):
    grid = torch.arange(size)
    rows = (grid - places[:, :1]).abs().unsqueeze(2)
    columns = (grid - places[:, 1:]).abs().unsqueeze(1)
    return ((rows <= radius) & (columns <= radius)).float()


def balanced_loss(response, labels):
    positive, negative = labels, 1 - labels
    weights = 0.5 * positive / positive.sum(dim=(1, 2), keepdim=True) + 0.5 * negative / negative.sum(dim=(1, 2), keepdim=True)
    losses = F.binary_cross_entropy_with_logits(response, labels, reduction="none")
    return (losses * weights).sum(dim=(1, 2)).mean()


def locate(response):
    best = response.flatten(1).argmax(dim=1)
    return torch.stack((torch.div(best, 7, rounding_mode="floor"), best % 7), dim=1)


tracker = Tracker()
optimizer = torch.optim.Adam(tracker.parameters(), lr=0.01)
for step in range(12):
    template, search, places = scene(8)
    response = tracker(template, search)
    loss = balanced_loss(response, label_map(places, 7, radius=0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        with torch.no_grad():
            template, search, places = scene(16)
            miss = (locate(tracker(template, search)) - places).abs().float().mean().item()
        print("step", step, "loss %.4f, miss %.2f" % (loss.item(), miss))
