import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = nn.Conv2d(cin, cout, 1, stride, bias=False)

    def forward(self, x):
        out = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(out)) + self.down(x))


class SmallResNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.layer1 = BasicBlock(3, 8, 1)
        self.layer2 = BasicBlock(8, 16, 2)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, num_classes)

    def forward(self, x):
        return self.fc(self.avgpool(self.layer2(self.layer1(x))).flatten(1))


def build_model(weights, num_classes, feature_extract=True):
    model = SmallResNet(num_classes=10)
    model.load_state_dict(weights)
    model.fc = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, num_classes))
    if feature_extract:
        for name, param in model.named_parameters():
            if not name.startswith("fc."):
                param.requires_grad = False
    return model


def make_split(n):
    y = torch.randint(4, (n,))
    x = torch.randn(n, 3, 12, 12) * 0.5
    x[torch.arange(n), y % 3] += (y.float() - 1.0).view(-1, 1, 1)
    return TensorDataset(x, y)


def train_model(model, dataloaders, criterion, optimizer, scheduler, num_epochs):
    history = []
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.fc.train()
            else:
                model.eval()
            running_loss, running_corrects, seen = 0.0, 0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += (outputs.argmax(1) == labels).sum().item()
                seen += inputs.size(0)
            if phase == "train":
                scheduler.step()
            print("{} Loss: {:.4f} Acc: {:.4f}".format(phase, running_loss / seen, running_corrects / seen))
        history.append(running_loss / seen)
    return history


def main():
    torch.manual_seed(2)
    imagenet = SmallResNet(num_classes=10).eval()
    model = build_model(imagenet.state_dict(), num_classes=4)
    model.eval()
    loaders = {"train": DataLoader(make_split(96), batch_size=24, shuffle=True),
               "val": DataLoader(make_split(48), batch_size=24)}
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
    train_model(model, loaders, nn.CrossEntropyLoss(), optimizer, scheduler, num_epochs=4)
    return model


if __name__ == "__main__":
    model = main()
    trainable = [n for n, p in model.named_parameters() if p.requires_grad]
    print("trained:", trainable)
