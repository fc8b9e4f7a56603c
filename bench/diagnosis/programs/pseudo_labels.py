"""Self-training: confident predictions become labels, a weak view labels a strong one."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(126)


class ConvNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 8, 5, padding=2)
        self.conv2 = nn.Conv1d(8, 12, 5, padding=2)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(12, classes)

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.conv1(x)), 2)
        x = F.relu(self.conv2(x))
        x = self.drop(x.mean(dim=2))
        return self.fc(x)


def weak(x):
    return torch.roll(x, shifts=int(torch.randint(-1, 2, (1,))), dims=2)


def strong(x):
    keep = (torch.rand(x.shape) > 0.2).float()
    return weak(x) * keep + 0.1 * torch.randn_like(x)


def pseudo_label(model, x, threshold):
    model.eval()
    with torch.no_grad():
        probabilities = model(weak(x)).softmax(dim=1)
    model.train()
    confidence, labels = probabilities.max(dim=1)
    return labels, (confidence >= threshold).float()


def signals(n):
    labels = torch.arange(n) % 3
    time = torch.arange(16).float()
    frequency = 0.4 + 0.5 * labels.unsqueeze(1)
    return (torch.sin(frequency * time + torch.rand(n, 1)) + 0.1 * torch.randn(n, 16)).unsqueeze(1), labels


labelled_x, labelled_y = signals(12)
unlabelled_x, hidden_y = signals(48)
model = ConvNet(3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
for epoch in range(5):
    used = 0.0
    for chosen in torch.randperm(48).split(16):
        labels, mask = pseudo_label(model, unlabelled_x[chosen], threshold=0.5)
        supervised = F.cross_entropy(model(weak(labelled_x)), labelled_y)
        losses = F.cross_entropy(model(strong(unlabelled_x[chosen])), labels, reduction="none")
        unsupervised = (losses * mask).mean()
        loss = supervised + 0.5 * unsupervised
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        used += mask.mean().item() / 3
    scheduler.step()
    print("epoch", epoch, "supervised %.4f unsupervised %.4f used %.2f" % (supervised.item(), unsupervised.item(), used))
model.eval()
with torch.no_grad():
    accuracy = (model(unlabelled_x).argmax(dim=1) == hidden_y).float().mean()
print("accuracy", accuracy.item())
