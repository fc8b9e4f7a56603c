import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)

CONFIG = {"classes": 4, "channels": 6, "lr": 0.05, "epochs": 3, "batch": 8}


class ConvNet(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(channels, 2 * channels, 3, padding=1),
            nn.ReLU(),
        )
        self.dropout = nn.Dropout(0.2)
        self.classifier = nn.Linear(2 * channels, classes)

    def forward(self, images):
        h = self.features(images)
        h = h.mean(dim=(2, 3))
        return self.classifier(self.dropout(h))


def synthetic_images(n, classes):
    labels = torch.arange(n) % classes
    images = 0.3 * torch.randn(n, 1, 8, 8)
    for i, label in enumerate(labels.tolist()):
        images[i, 0, 2 * label : 2 * label + 2] += 1.0
    return images, labels


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        hits = (model(images).argmax(dim=1) == labels).float().mean().item()
    model.train()
    return hits


images, labels = synthetic_images(32, CONFIG["classes"])
net = ConvNet(CONFIG["channels"], CONFIG["classes"])
optimizer = torch.optim.SGD(net.parameters(), lr=CONFIG["lr"], momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
history = []
for epoch in range(CONFIG["epochs"]):
    permutation = torch.randperm(len(images))
    for start in range(0, len(images), CONFIG["batch"]):
        index = permutation[start : start + CONFIG["batch"]]
        optimizer.zero_grad()
        logits = net(images[index])
        loss = F.cross_entropy(logits, labels[index])
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    scheduler.step()
    print(epoch, sum(history[-4:]) / 4, accuracy(net, images, labels))
