import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FastGRUCell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.x2h, self.h2h = nn.Linear(inputs, 3 * hidden), nn.Linear(hidden, 3 * hidden)

    def forward(self, x, h):
        xr, xz, xn = self.x2h(x).chunk(3, dim=1)
        hr, hz, hn = self.h2h(h).chunk(3, dim=1)
        r = xr.add_(hr).sigmoid_()
        z = xz.add_(hz).sigmoid_()
        n = torch.tanh(xn + r * hn)
        return (1 - z) * n + z * h


class Recurrent(nn.Module):
    def __init__(self, inputs=3, hidden=16):
        super().__init__()
        self.cell = FastGRUCell(inputs, hidden)

    def forward(self, sequence):
        h = sequence.new_zeros(len(sequence), self.cell.hidden)
        outputs = []
        for t in range(sequence.shape[1]):
            h = self.cell(sequence[:, t], h)
            outputs.append(h)
        return torch.stack(outputs, dim=1)


class GestureModel(nn.Module):
    def __init__(self, gestures=3):
        super().__init__()
        self.rnn = Recurrent()
        self.attend = nn.Linear(16, 1)
        self.out = nn.Linear(16, gestures)

    def forward(self, x):
        h = self.rnn(x)
        weight = torch.softmax(self.attend(h), dim=1)
        return self.out((weight * h).sum(dim=1))


def accelerations(n, steps=8, gestures=3):
    label = torch.randint(0, gestures, (n,))
    t = torch.arange(steps).float()
    x = 0.2 * torch.randn(n, steps, 3)
    for g in range(gestures):
        x[label == g, :, g] += torch.sin(t * (g + 1) / 2)
    return TensorDataset(x, label)


def evaluate(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(dim=1) == y).sum().item()
    return correct / len(loader.dataset)


def main():
    torch.manual_seed(22)
    model = GestureModel()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    train = DataLoader(accelerations(96), batch_size=16, shuffle=True)
    test = DataLoader(accelerations(32), batch_size=16)
    for epoch in range(2):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} acc {evaluate(model, test):.3f}")


if __name__ == "__main__":
    main()
