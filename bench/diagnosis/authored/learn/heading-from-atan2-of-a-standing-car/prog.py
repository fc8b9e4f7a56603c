import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MotionNet(nn.Module):
    """Corrects noisy velocities by a gated residual."""

    def __init__(self, steps=5, hidden=24):
        super().__init__()
        self.encode = nn.GRU(2, hidden, batch_first=True)
        self.delta = nn.Linear(hidden, 2)
        self.gate = nn.Parameter(torch.zeros(1))

    def forward(self, velocity):
        h, _ = self.encode(velocity)
        return velocity + self.gate * torch.tanh(self.delta(h))


class MotionLoss(nn.Module):
    def __init__(self, weight=0.1):
        super().__init__()
        self.weight = weight

    @staticmethod
    def heading(v):
        return torch.atan2(v[..., 1], v[..., 0])

    def forward(self, predicted, truth):
        speed = (predicted - truth).pow(2).sum(-1).mean()
        moving = truth.abs().sum(-1) > 1e-3
        turn = self.heading(predicted) - self.heading(truth)
        turn = (1 - torch.cos(turn)) * moving.float()
        return speed + self.weight * turn.mean()


def tracks(n, steps=5):
    speed = torch.rand(n, 1) * 2
    angle = 6.28 * torch.rand(n, 1) + 0.2 * torch.arange(steps)
    truth = torch.stack([speed * angle.cos(), speed * angle.sin()], dim=-1)
    noisy = truth + 0.1 * torch.randn(n, steps, 2)
    parked = torch.rand(n) < 0.2
    truth[parked] = 0.0
    noisy[parked] = 0.0
    return TensorDataset(noisy, truth)


class Engine:
    def __init__(self, net, loss):
        self.net, self.loss = net, loss
        self.optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.history = []

    def update(self, noisy, truth):
        loss = self.loss(self.net(noisy), truth)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.history.append(loss.item())

    def run(self, loader, epochs):
        for epoch in range(epochs):
            for noisy, truth in loader:
                self.update(noisy, truth)
            recent = self.history[-len(loader):]
            print(f"epoch {epoch} loss {sum(recent) / len(recent):.5f}")


if __name__ == "__main__":
    torch.manual_seed(13)
    engine = Engine(MotionNet(), MotionLoss())
    engine.run(DataLoader(tracks(96), batch_size=16, shuffle=True), epochs=3)
    with torch.no_grad():
        noisy, truth = tracks(32).tensors
        print("error", (engine.net(noisy) - truth).pow(2).mean().item())
