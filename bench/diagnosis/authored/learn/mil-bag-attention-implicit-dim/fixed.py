import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class SlideBags(Dataset):
    def __init__(self, n, patches=10, dim=16, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.bags = torch.randn(n, patches, dim, generator=g)
        self.labels = torch.randint(2, (n,), generator=g)
        for i in range(n):
            if self.labels[i]:
                where = torch.randint(patches, (2,), generator=g)
                self.bags[i, where, :4] += 2.0

    def __len__(self):
        return len(self.bags)

    def __getitem__(self, i):
        return {"bag": self.bags[i], "label": self.labels[i]}


class GatedAttention(nn.Module):
    def __init__(self, dim, hidden=12):
        super().__init__()
        self.V, self.U, self.w = nn.Linear(dim, hidden), nn.Linear(dim, hidden), nn.Linear(hidden, 1)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, h):
        scores = self.w(torch.tanh(self.V(h)) * torch.sigmoid(self.U(h)))
        return self.softmax(scores)


class AttentionMIL(nn.Module):
    def __init__(self, dim=16, embed=16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(dim, embed), nn.ReLU())
        self.attention = GatedAttention(embed)
        self.classifier = nn.Linear(embed, 1)

    def forward(self, bag):
        h = self.embed(bag)
        a = self.attention(h)
        return self.classifier((a * h).sum(dim=1)).squeeze(1), a


class Engine:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-4)

    def train_one_epoch(self, loader):
        self.model.train()
        losses = []
        for batch in loader:
            logits, _ = self.model(batch["bag"])
            loss = F.binary_cross_entropy_with_logits(logits, batch["label"].float())
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        correct = 0
        for batch in loader:
            logits, _ = self.model(batch["bag"])
            correct += ((logits > 0).long() == batch["label"]).sum().item()
        return correct / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(10)
    train = DataLoader(SlideBags(120), batch_size=20, shuffle=True)
    test = DataLoader(SlideBags(60, seed=1), batch_size=12)
    engine = Engine(AttentionMIL())
    for epoch in range(5):
        print("epoch %d loss %.4f acc %.3f" % (epoch, engine.train_one_epoch(train), engine.evaluate(test)))
    _, attention = engine.model(SlideBags(3, seed=2).bags)
    print("most attended patches", attention.squeeze(-1).argmax(1).tolist())
