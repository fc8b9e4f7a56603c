import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ImageTower(nn.Module):
    def __init__(self, embed=12):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, 2, 1)
        self.fc = nn.Linear(8 * 16, embed)

    def forward(self, x):
        return self.fc(F.gelu(self.conv(x)).flatten(1))


class TextTower(nn.Module):
    def __init__(self, vocab=8, embed=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.fc = nn.Linear(16, embed)

    def forward(self, ids):
        _, h = self.rnn(self.embed(ids))
        return self.fc(h[-1])


class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = ImageTower(), TextTower()
        self.log_scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, image, ids):
        a, b = F.normalize(self.image(image), dim=1), F.normalize(self.text(ids), dim=1)
        scale = self.log_scale.exp().item()
        return scale * a @ b.t()


def contrastive(logits):
    target = torch.arange(len(logits))
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target))


def pairs(n, size=8):
    row, col = torch.randint(0, 4, (n,)), torch.randint(0, 4, (n,))
    image = 0.1 * torch.randn(n, 1, size, size)
    for i in range(n):
        image[i, 0, 2 * row[i]:2 * row[i] + 2, 2 * col[i]:2 * col[i] + 2] += 1
    return TensorDataset(image, torch.stack([row, col + 4], dim=1))


class Pretrainer:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for image, ids in loader:
            loss = contrastive(self.model(image, ids))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)


torch.manual_seed(70)
trainer = Pretrainer(CLIP())
loader = DataLoader(pairs(128), batch_size=16, shuffle=True)
for epoch in range(3):
    loss = trainer.epoch(loader)
    print(f"epoch {epoch} loss {loss:.4f} scale {trainer.model.log_scale.exp().item():.3f}")
