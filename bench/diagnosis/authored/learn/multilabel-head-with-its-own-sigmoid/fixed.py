import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LabelAttention(nn.Module):
    """One query for each label over the words of a note."""

    def __init__(self, width, labels):
        super().__init__()
        self.query = nn.Parameter(0.1 * torch.randn(labels, width))
        self.final = nn.Parameter(0.1 * torch.randn(labels, width))
        self.bias = nn.Parameter(torch.zeros(labels))

    def forward(self, h):
        weight = torch.softmax(torch.einsum("bnw,lw->bln", h, self.query), dim=2)
        context = torch.einsum("bln,bnw->blw", weight, h)
        return (context * self.final).sum(dim=2) + self.bias


class CodingModel(nn.Module):
    def __init__(self, vocab=50, width=20, labels=6):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.attention = LabelAttention(width, labels)

    def forward(self, ids):
        h = torch.tanh(self.conv(self.embed(ids).transpose(1, 2))).transpose(1, 2)
        return self.attention(h)

    @torch.no_grad()
    def predict(self, ids, threshold=0.5):
        self.eval()
        return torch.sigmoid(self(ids)) > threshold


def notes(n, vocab=50, labels=6, length=12):
    ids = torch.randint(0, vocab, (n, length))
    target = torch.stack([(ids % 12 == k).any(dim=1) for k in range(labels)], dim=1)
    return TensorDataset(ids, target.float())


def micro_f1(guess, truth):
    both = (guess & truth.bool()).sum().item()
    return 2 * both / max(1, guess.sum().item() + truth.sum().item())


class Run:
    def __init__(self, data, lr=1e-2):
        self.model = CodingModel()
        positive = data.tensors[1].mean(dim=0)
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=(1 - positive) / positive)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def train(self, loader):
        self.model.train()
        total = 0.0
        for ids, target in loader:
            loss = self.criterion(self.model(ids), target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)


torch.manual_seed(62)
train_data, test_data = notes(128), notes(48)
run = Run(train_data)
loader = DataLoader(train_data, batch_size=16, shuffle=True)
for epoch in range(3):
    loss = run.train(loader)
    f1 = micro_f1(run.model.predict(test_data.tensors[0]), test_data.tensors[1])
    print(f"epoch {epoch} loss {loss:.4f} f1 {f1:.3f}")
