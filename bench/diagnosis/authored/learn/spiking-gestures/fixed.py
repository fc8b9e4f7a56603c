import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class SurrogateSpike(torch.autograd.Function):
    """Heaviside step with a fast-sigmoid derivative."""

    @staticmethod
    def forward(ctx, membrane, slope):
        ctx.save_for_backward(membrane)
        ctx.slope = slope
        return (membrane > 0).to(membrane.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        (membrane,) = ctx.saved_tensors
        surrogate = 1.0 / (1.0 + ctx.slope * membrane.abs()) ** 2
        return grad_output * surrogate, None


class LIFLayer(nn.Module):
    def __init__(self, inp, out, beta=0.85, threshold=1.0, slope=5.0):
        super().__init__()
        self.fc = nn.Linear(inp, out)
        self.beta, self.threshold, self.slope = beta, threshold, slope

    def init_state(self, batch):
        return torch.zeros(batch, self.fc.out_features)

    def forward(self, x, v):
        v = self.beta * v + self.fc(x)
        spike = SurrogateSpike.apply(v - self.threshold, self.slope)
        return spike, v - spike.detach() * self.threshold


class SpikingNet(nn.Module):
    def __init__(self, channels=12, hidden=32, classes=3):
        super().__init__()
        self.lif = LIFLayer(channels, hidden)
        self.readout = nn.Linear(hidden, classes)
        self.leak = 0.9

    def forward(self, events):
        v = self.lif.init_state(events.size(0))
        mem, rate = 0.0, 0.0
        for t in range(events.size(1)):
            spike, v = self.lif(events[:, t], v)
            mem = self.leak * mem + self.readout(spike)
            rate = rate + spike.mean()
        return mem / events.size(1), rate / events.size(1)


class GestureEvents(Dataset):
    """Bars that move left, move right or stand still on a one-dimensional sensor."""

    def __init__(self, n, steps=12, channels=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.arange(n) % 3
        self.x = torch.zeros(n, steps, channels)
        start = torch.randint(0, channels, (n,), generator=g)
        for i in range(n):
            v = (-1, 1, 0)[int(self.y[i])]
            for t in range(steps):
                self.x[i, t, (int(start[i]) + v * t) % channels] = 1.5
        self.x += (torch.rand(self.x.shape, generator=g) < 0.05).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def evaluate(net, loader):
    net.eval()
    correct = total = 0
    with torch.no_grad():
        for x, y in loader:
            correct += int((net(x)[0].argmax(1) == y).sum())
            total += len(y)
    net.train()
    return correct / total


def train(net, train_loader, test_loader, epochs=4, rate_target=0.2, rate_weight=0.1):
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(epochs):
        for x, y in train_loader:
            opt.zero_grad()
            logits, rate = net(x)
            loss = F.cross_entropy(logits, y) + rate_weight * (rate - rate_target) ** 2
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.4f} rate {rate.item():.3f} test {evaluate(net, test_loader):.3f}")


if __name__ == "__main__":
    torch.manual_seed(26)
    train_loader = DataLoader(GestureEvents(96, seed=1), batch_size=16, shuffle=True)
    test_loader = DataLoader(GestureEvents(30, seed=2), batch_size=30)
    train(SpikingNet(), train_loader, test_loader)
