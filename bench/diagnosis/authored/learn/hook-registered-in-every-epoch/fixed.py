import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class EncoderLayer(nn.Module):
    def __init__(self, dim, heads, ff):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(dim, ff), nn.ReLU(), nn.Linear(ff, dim))
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x, mask):
        attended, _ = self.attn(x, x, x, key_padding_mask=mask)
        x = self.ln1(x + attended)
        return self.ln2(x + self.ff(x))


class TinyBert(nn.Module):
    def __init__(self, vocab=40, dim=16, layers=3, max_len=8, labels=3):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim, padding_idx=0), nn.Embedding(max_len, dim)
        self.layers = nn.ModuleList(EncoderLayer(dim, 2, 32) for _ in range(layers))
        self.classifier = nn.Linear(dim, labels)

    def forward(self, ids):
        mask = ids.eq(0)
        x = self.tok(ids) + self.pos(torch.arange(ids.size(1)))
        for layer in self.layers:
            x = layer(x, mask)
        keep = (~mask).unsqueeze(-1).float()
        return self.classifier((x * keep).sum(1) / keep.sum(1))


def layer_groups(model):
    yield [model.tok, model.pos]
    for layer in model.layers:
        yield [layer]
    yield [model.classifier]


def scaled(factor):
    return lambda grad: grad * factor


class DiscriminativeFinetuner:
    """Smaller effective gradients for lower layers (ULMFiT)."""

    def __init__(self, model, lr=0.1, decay=0.5):
        self.model, self.decay = model, decay
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.norms = []
        self.apply_layer_scales()

    def apply_layer_scales(self):
        groups = list(layer_groups(self.model))
        for depth, modules in enumerate(reversed(groups)):
            for module in modules:
                for p in module.parameters():
                    p.register_hook(scaled(self.decay ** depth))

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for ids, label in loader:
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(ids), label)
            loss.backward()
            self.norms.append(self.model.tok.weight.grad.norm().item())
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            print("epoch %d loss %.4f embedding gradient %.3e" % (epoch, self.train_epoch(loader), self.norms[-1]))


def sentences(n, vocab=40, max_len=8):
    ids = torch.randint(4, vocab, (n, max_len))
    labels = torch.randint(3, (n,))
    where = torch.randint(max_len - 3, (n,))
    ids[torch.arange(n), where] = labels + 1
    for row in range(n):
        ids[row, max_len - int(torch.randint(0, 3, ())):] = 0
    return TensorDataset(ids, labels)


torch.manual_seed(40)
train_set = sentences(144)
model = TinyBert()
finetuner = DiscriminativeFinetuner(model)
finetuner.fit(DataLoader(train_set, batch_size=24, shuffle=True), epochs=5)
model.eval()
with torch.no_grad():
    ids, labels = train_set.tensors
    print("accuracy %.3f" % (model(ids).argmax(1) == labels).float().mean().item())
