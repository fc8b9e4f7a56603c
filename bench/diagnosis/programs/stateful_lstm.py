"""An LSTM whose state is carried from chunk to chunk of a long series, and from step to step of a forecast."""

import torch
import torch.nn as nn

torch.manual_seed(122)


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, chunk):
        output, state = self.lstm(chunk, self.state)
        self.state = tuple(part.detach() for part in state)
        return chunk + self.out(output)


def series(n, length):
    time = torch.arange(length).float()
    period = 8 + 8 * torch.rand(n, 1)
    return torch.sin(6.2832 * time / period + torch.rand(n, 1)).unsqueeze(-1)


class ChunkTrainer:
    def __init__(self, model, chunk, lr):
        self.model, self.chunk = model, chunk
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.criterion = nn.MSELoss()

    def pass_over(self, data):
        self.model.train()
        self.model.reset()
        total, chunks = 0.0, 0
        for start in range(0, data.shape[1] - self.chunk, self.chunk):
            inputs = data[:, start : start + self.chunk]
            targets = data[:, start + 1 : start + self.chunk + 1]
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(inputs), targets)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            total, chunks = total + loss.item(), chunks + 1
        self.scheduler.step()
        return total / chunks

    def forecast(self, history, steps):
        self.model.eval()
        self.model.reset()
        with torch.no_grad():
            current = self.model(history)[:, -1:]
            predicted = [current]
            for _ in range(steps - 1):
                current = self.model(current)
                predicted.append(current)
        return torch.cat(predicted, dim=1)


data = series(6, 60)
trainer = ChunkTrainer(Forecaster(12), chunk=10, lr=0.01)
for epoch in range(4):
    print("epoch", epoch, "loss %.5f" % trainer.pass_over(data[:, :50]))
forecast = trainer.forecast(data[:, :50], steps=10)
print("forecast error %.4f" % (forecast - data[:, 50:]).abs().mean().item())
