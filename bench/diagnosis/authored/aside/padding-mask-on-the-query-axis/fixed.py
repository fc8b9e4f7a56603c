import math

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n=96, vocab=30):
        self.items = []
        for _ in range(n):
            length = int(torch.randint(3, 9, (1,)))
            words = torch.randint(1, vocab, (length,))
            self.items.append((words, int((words > vocab // 2).sum() * 2 > length)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    words = pad_sequence([w for w, _ in items], batch_first=True)
    return words, torch.tensor([y for _, y in items])


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).transpose(1, 2) / math.sqrt(x.shape[-1])
        scores = scores.masked_fill(~mask.unsqueeze(1), float("-inf"))
        return scores.softmax(dim=-1) @ self.v(x)


class Sentiment(nn.Module):
    def __init__(self, vocab=30, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        self.attention, self.norm = SelfAttention(width), nn.LayerNorm(width)
        self.out = nn.Linear(width, 2)

    def forward(self, words):
        mask = words != 0
        h = self.embed(words)
        h = self.norm(h + self.attention(h, mask))
        pooled = (h * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        return self.out(pooled)


def main():
    torch.manual_seed(41)
    loader = DataLoader(Reviews(), batch_size=16, shuffle=True, collate_fn=collate)
    model = Sentiment()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        total = 0.0
        for words, label in loader:
            optimizer.zero_grad()
            loss = criterion(model(words), label)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")
    model.eval()
    with torch.no_grad():
        words, label = collate([loader.dataset[i] for i in range(32)])
        print("accuracy", (model(words).argmax(1) == label).float().mean().item())


if __name__ == "__main__":
    main()
