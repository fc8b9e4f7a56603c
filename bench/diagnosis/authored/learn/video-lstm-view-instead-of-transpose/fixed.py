import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset

ACTIONS = ("left", "right", "still")


class MovingBar(Dataset):
    def __init__(self, n, frames=6, size=12):
        self.clips, self.labels = [], []
        for _ in range(n):
            label = int(torch.randint(len(ACTIONS), ()))
            speed = {0: -1, 1: 1, 2: 0}[label]
            start = int(torch.randint(3, size - 3, ()))
            clip = 0.2 * torch.randn(frames, 1, size, size)
            for t in range(frames):
                clip[t, 0, :, (start + speed * t) % size] += 1.0
            self.clips.append(clip)
            self.labels.append(label)

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        return self.clips[i], self.labels[i]


class FrameEncoder(nn.Module):
    def __init__(self, out_dim=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d((4, 1)),
            nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d((3, 1)),
        )
        self.project = nn.Linear(8 * 12, out_dim)

    def forward(self, frames):
        return self.project(self.features(frames).flatten(1))


class VideoClassifier(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.encoder = FrameEncoder()
        self.lstm = nn.LSTM(24, hidden)
        self.classifier = nn.Linear(hidden, len(ACTIONS))

    def forward(self, clips):
        b, t, c, h, w = clips.shape
        features = self.encoder(clips.reshape(b * t, c, h, w))
        sequence = features.view(b, t, -1).transpose(0, 1)
        _, (hidden, _) = self.lstm(sequence)
        return self.classifier(hidden[-1])


class ConfusionMatrix:
    def __init__(self, n):
        self.counts = torch.zeros(n, n, dtype=torch.long)

    def update(self, logits, labels):
        for p, y in zip(logits.argmax(1).tolist(), labels.tolist()):
            self.counts[y, p] += 1

    @property
    def accuracy(self):
        return (self.counts.diagonal().sum() / self.counts.sum()).item()


def evaluate(model, loader):
    model.eval()
    matrix = ConfusionMatrix(len(ACTIONS))
    with torch.no_grad():
        for clips, labels in loader:
            matrix.update(model(clips), labels)
    return matrix


torch.manual_seed(4)
train_loader = DataLoader(MovingBar(120), batch_size=20, shuffle=True)
test_loader = DataLoader(MovingBar(40), batch_size=20)
model = VideoClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(6):
    model.train()
    running = 0.0
    for clips, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(clips), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch} loss {running / len(train_loader):.4f} test accuracy {evaluate(model, test_loader).accuracy:.3f}")
