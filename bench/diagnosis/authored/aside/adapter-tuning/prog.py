import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Adapter(nn.Module):
    """Bottleneck that takes its width from the first input it sees."""

    def __init__(self, bottleneck=8):
        super().__init__()
        self.bottleneck = bottleneck
        self.down, self.up = None, None

    def _build(self, width):
        self.down = nn.Linear(width, self.bottleneck)
        self.up = nn.Linear(self.bottleneck, width)
        nn.init.normal_(self.up.weight, std=1e-2)

    def forward(self, h):
        if self.down is None:
            self._build(h.size(-1))
        return h + self.up(F.gelu(self.down(h)))


class PretrainedEncoder(nn.Module):
    def __init__(self, vocab=50, width=24, layers=2):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, width, mode="mean")
        self.layers = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()) for _ in range(layers)
        )


class AdaptedClassifier(nn.Module):
    def __init__(self, encoder, classes):
        super().__init__()
        self.encoder = encoder
        for p in self.encoder.parameters():
            p.requires_grad_(False)
        self.adapters = nn.ModuleList(Adapter() for _ in encoder.layers)
        self.classifier = nn.Linear(24, classes)

    def forward(self, ids):
        h = self.encoder.embed(ids)
        for layer, adapter in zip(self.encoder.layers, self.adapters):
            h = adapter(h + layer(h))
        return self.classifier(h)


def build_optimizer(model, lr, weight_decay=0.01):
    decay, plain = [], []
    for name, p in model.named_parameters():
        if p.requires_grad:
            (plain if name.endswith("bias") else decay).append(p)
    groups = [{"params": decay, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr)


def topic_data(n, classes=4, vocab=50, length=12):
    y = torch.arange(n) % classes
    common = torch.randint(0, vocab, (n, length))
    topical = y.unsqueeze(1) * 12 + torch.randint(0, 12, (n, length))
    return torch.where(torch.rand(n, length) < 0.5, topical, common), y


def train_epoch(model, loader, optimizer):
    model.train()
    total, correct, n = 0.0, 0, 0
    for ids, y in loader:
        optimizer.zero_grad()
        logits = model(ids)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += int((logits.argmax(1) == y).sum())
        n += len(y)
    return total / n, correct / n


def main():
    torch.manual_seed(50)
    ids, y = topic_data(200)
    loader = DataLoader(TensorDataset(ids[:160], y[:160]), batch_size=20, shuffle=True)
    model = AdaptedClassifier(PretrainedEncoder(), classes=4)
    optimizer = build_optimizer(model, lr=1e-2)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1.0, end_factor=0.2, total_iters=5)
    for epoch in range(5):
        loss, acc = train_epoch(model, loader, optimizer)
        scheduler.step()
        print(f"epoch {epoch} loss {loss:.4f} acc {acc:.3f}")
    model.eval()
    with torch.no_grad():
        print("held-out", (model(ids[160:]).argmax(1) == y[160:]).float().mean().item())


if __name__ == "__main__":
    main()
