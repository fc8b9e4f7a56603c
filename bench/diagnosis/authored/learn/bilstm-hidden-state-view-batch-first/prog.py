import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class ArrhythmiaDataset(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            y = torch.randint(3, (1,), generator=g).item()
            length = torch.randint(10, 20, (1,), generator=g).item()
            t = torch.arange(length).float()
            signal = torch.sin(t * (0.3 + 0.4 * y)) + 0.2 * torch.randn(length, generator=g)
            self.items.append((torch.stack([signal, signal.diff(prepend=signal[:1])], dim=1), y))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    batch = sorted(batch, key=lambda item: -len(item[0]))
    xs, ys = zip(*batch)
    return pad_sequence(xs, batch_first=True), torch.tensor([len(x) for x in xs]), torch.tensor(ys)


class BiLSTM(nn.Module):
    def __init__(self, n_in=2, hidden=16, classes=3):
        super().__init__()
        self.lstm = nn.LSTM(n_in, hidden, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(2 * hidden)
        self.fc = nn.Linear(2 * hidden, classes)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        _, (h_n, _) = self.lstm(packed)
        features = h_n.view(x.size(0), -1)
        return self.fc(self.norm(features))


def fit(model, loader, epochs, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, lengths, y in loader:
            loss = F.cross_entropy(model(x, lengths), y)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(y)
        print("epoch %d loss %.4f" % (epoch, total / len(loader.dataset)))


@torch.no_grad()
def report(model, loader):
    model.eval()
    hits = 0
    for x, lengths, y in loader:
        hits += (model(x, lengths).argmax(1) == y).sum().item()
    print("accuracy %.3f" % (hits / len(loader.dataset)))


if __name__ == "__main__":
    torch.manual_seed(12)
    train = DataLoader(ArrhythmiaDataset(96, 0), batch_size=16, shuffle=True, collate_fn=collate)
    valid = DataLoader(ArrhythmiaDataset(48, 1), batch_size=16, collate_fn=collate)
    model = BiLSTM()
    fit(model, train, epochs=4)
    report(model, valid)
    x, lengths, y = next(iter(valid))
    pair = model(x, lengths)[:4]
    alone = model(x[:4], lengths[:4])
