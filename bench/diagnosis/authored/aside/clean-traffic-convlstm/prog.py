import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class TrafficGrid(Dataset):
    """Moving density waves on a ring road with lanes."""

    def __init__(self, n, past=6, future=3, lanes=3, cells=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        steps = past + future
        pos = torch.arange(cells).float()
        self.past, self.seq = past, torch.zeros(n, steps, 1, lanes, cells)
        for i in range(n):
            phase, speed = torch.rand(2, generator=g).tolist()
            for t in range(steps):
                wave = torch.sin(2 * torch.pi * (pos / cells + phase + 0.1 * (1 + speed) * t))
                self.seq[i, t, 0] = wave
        self.seq += 0.05 * torch.randn(self.seq.shape, generator=g)

    def __len__(self):
        return len(self.seq)

    def __getitem__(self, i):
        return self.seq[i, :self.past], self.seq[i, self.past:]


class ConvLSTMCell(nn.Module):
    def __init__(self, cin, hidden):
        super().__init__()
        self.hidden = hidden
        self.gates_x = nn.Conv2d(cin, 4 * hidden, 3, padding=1)
        self.gates_h = nn.Conv2d(hidden, 4 * hidden, 3, padding=1, bias=False)

    def forward(self, x, state):
        h, c = state
        gates = self.gates_x(x)
        gates += self.gates_h(h)
        i, f, o, g = gates.chunk(4, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


class TemporalGate(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.score = nn.Linear(hidden, 1)

    def forward(self, states, padding):
        scores = self.score(states.mean(dim=(3, 4))).squeeze(2)
        scores.masked_fill_(padding, -1e9)
        w = torch.softmax(scores, dim=1)
        return (w[:, :, None, None, None] * states).sum(dim=1)


class Forecaster(nn.Module):
    def __init__(self, hidden=8, future=3):
        super().__init__()
        self.cell, self.gate, self.future = ConvLSTMCell(1, hidden), TemporalGate(hidden), future
        self.head = nn.Sequential(nn.Conv2d(2 * hidden, hidden, 1), nn.ReLU(inplace=True), nn.Conv2d(hidden, future, 1))

    def forward(self, past, padding):
        b, t, _, lanes, cells = past.shape
        h = past.new_zeros(b, self.cell.hidden, lanes, cells)
        state = (h, torch.zeros_like(h))
        states = past.new_empty(b, t, self.cell.hidden, lanes, cells)
        for k in range(t):
            state = self.cell(past[:, k], state)
            states[:, k] = state[0]
        context = self.gate(states, padding)
        out = self.head(torch.cat([state[0], context], dim=1))
        out += past[:, -1]
        return out.unsqueeze(2)


class RunningMAE:
    def __init__(self, horizon):
        self.sum, self.count = torch.zeros(horizon), 0

    @torch.no_grad()
    def update(self, pred, target):
        self.sum += (pred - target).abs().mean(dim=(2, 3, 4)).sum(dim=0)
        self.count += len(pred)

    def compute(self):
        return [round(v, 4) for v in (self.sum / self.count).tolist()]


if __name__ == "__main__":
    torch.manual_seed(60)
    loader = DataLoader(TrafficGrid(64), batch_size=16, shuffle=True)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        mae = RunningMAE(3)
        for past, future in loader:
            padding = torch.zeros(past.shape[:2], dtype=torch.bool)
            padding[:, :int(torch.randint(0, 3, (1,)))] = True
            pred = model(past, padding)
            loss = F.huber_loss(pred, future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mae.update(pred, future)
        print(epoch, round(loss.item(), 5), mae.compute())
