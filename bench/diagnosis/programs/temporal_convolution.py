import torch
from torch import nn

torch.manual_seed(74)


class CausalBlock(nn.Module):
    def __init__(self, channels, dilation, dropout):
        super().__init__()
        self.pad = dilation
        self.conv = nn.Conv1d(channels, channels, 2, dilation=dilation)
        self.norm = nn.LayerNorm(channels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        h = nn.functional.pad(x, (self.pad, 0))
        h = torch.relu(self.conv(h))
        h = self.norm(h.transpose(1, 2)).transpose(1, 2)
        return x + self.dropout(h)


class TCN(nn.Module):
    def __init__(self, inputs, channels, levels):
        super().__init__()
        self.stem = nn.Conv1d(inputs, channels, 1)
        self.blocks = nn.ModuleList([CausalBlock(channels, 2**i, 0.1) for i in range(levels)])
        self.head = nn.Linear(channels, 1)

    def forward(self, series):
        x = self.stem(series.permute(0, 2, 1))
        for block in self.blocks:
            x = block(x)
        return self.head(x.permute(0, 2, 1)).squeeze(-1)


def sine_series(n, length):
    phase = 6.28 * torch.rand(n, 1)
    t = torch.arange(length + 1) * 0.5
    wave = torch.sin(t + phase) + 0.05 * torch.randn(n, length + 1)
    return wave[:, :-1].unsqueeze(2), wave[:, 1:]


train_x, train_y = sine_series(24, 12)
test_x, test_y = sine_series(8, 12)
model = TCN(1, 6, 3)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
for epoch in range(3):
    model.train()
    epoch_loss = 0.0
    for rows in torch.randperm(24).split(8):
        prediction = model(train_x[rows])
        loss = criterion(prediction, train_y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        test_loss = criterion(model(test_x), test_y).item()
    print(f"epoch {epoch}: {epoch_loss / 3:.4f} {test_loss:.4f}")
