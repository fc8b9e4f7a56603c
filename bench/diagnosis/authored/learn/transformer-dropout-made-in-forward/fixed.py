import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class SortDataset(Dataset):
    """Sequences of digits; the label is the most frequent one."""

    def __init__(self, n, length, vocab, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randint(vocab, (n, length), generator=g)
        counts = torch.stack([(self.x == v).sum(1) for v in range(vocab)], dim=1)
        self.y = counts.argmax(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_head, p_drop):
        super().__init__()
        self.n_head, self.d_head, self.p_drop = n_head, d_model // n_head, p_drop
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)
        self.attn_drop = nn.Dropout(p_drop)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_head, self.d_head).permute(2, 0, 3, 1, 4)
        att = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)
        att = self.attn_drop(att)
        return self.proj((att @ v).transpose(1, 2).reshape(B, T, C))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_head, p_drop):
        super().__init__()
        self.attn = MultiHeadAttention(d_model, n_head, p_drop)
        self.ff = nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.GELU(), nn.Linear(2 * d_model, d_model))
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(p_drop)

    def forward(self, x):
        x = x + self.drop(self.attn(self.norm1(x)))
        return x + self.drop(self.ff(self.norm2(x)))


class Classifier(nn.Module):
    def __init__(self, vocab, length, d_model=24, n_head=3, layers=2, p_drop=0.2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d_model)
        self.pos = nn.Parameter(torch.zeros(1, length, d_model))
        self.layers = nn.ModuleList(EncoderLayer(d_model, n_head, p_drop) for _ in range(layers))
        self.head = nn.Linear(d_model, vocab)

    def forward(self, x):
        x = self.tok(x) + self.pos
        for layer in self.layers:
            x = layer(x)
        return self.head(x.mean(dim=1))


def fit(model, train_loader, valid_loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    ce = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            ce(model(x), y).backward()
            opt.step()
        print(epoch, validate(model, valid_loader))


@torch.no_grad()
def validate(model, loader):
    model.eval()
    hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(3)
    train_loader = DataLoader(SortDataset(192, 10, 6, 0), batch_size=32, shuffle=True)
    valid_loader = DataLoader(SortDataset(64, 10, 6, 1), batch_size=32)
    model = Classifier(6, 10)
    fit(model, train_loader, valid_loader, epochs=3)
    x, y = next(iter(valid_loader))
