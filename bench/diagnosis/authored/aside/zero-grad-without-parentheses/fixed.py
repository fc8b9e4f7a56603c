import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class SensorWindows(Dataset):
    """Sliding windows over one long series; the target is the next value."""

    def __init__(self, length=260, window=10):
        t = torch.arange(length).float()
        self.series = torch.sin(0.2 * t) + 0.5 * torch.sin(0.05 * t) + 0.05 * torch.randn(length)
        self.window = window

    def __len__(self):
        return len(self.series) - self.window

    def __getitem__(self, i):
        return self.series[i:i + self.window], self.series[i + self.window]


class TemporalBlock(nn.Module):
    def __init__(self, inputs, outputs, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(inputs, outputs, 3, dilation=dilation)
        self.skip = nn.Conv1d(inputs, outputs, 1)

    def forward(self, x):
        h = self.conv(nn.functional.pad(x, (self.pad, 0)))
        return torch.relu(h) + self.skip(x)


class TCN(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.block1, self.block2 = TemporalBlock(1, width, 1), TemporalBlock(width, width, 2)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.block2(self.block1(x.unsqueeze(1)))
        return self.out(h[:, :, -1]).squeeze(1)


class Trainer:
    def __init__(self, model, loader, lr=0.01):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.loss_fn = nn.MSELoss()
        self.log = []

    def run(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                self.log.append(loss.item())
            print(f"epoch {epoch} loss {sum(self.log[-len(self.loader):]) / len(self.loader):.4f}")


def rollout(model, start, steps):
    window, values = start.clone(), []
    with torch.no_grad():
        for _ in range(steps):
            value = model(window.unsqueeze(0))
            values.append(value.item())
            window = torch.cat([window[1:], value])
    return values


if __name__ == "__main__":
    torch.manual_seed(54)
    data = SensorWindows()
    trainer = Trainer(TCN(), DataLoader(data, batch_size=25, shuffle=True))
    trainer.run(2)
    print([round(v, 3) for v in rollout(trainer.model, data[0][0], 4)])
