import torch
from torch import nn

torch.manual_seed(77)


class Projector(nn.Module):
    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(inputs, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(inplace=True),
            nn.Linear(hidden, outputs),
        )

    def forward(self, x):
        return self.net(x)


def standardize(z):
    centered = z - z.mean(dim=0, keepdim=True)
    return centered / (centered.pow(2).mean(dim=0, keepdim=True) + 1e-5).sqrt()


def barlow_loss(a, b, weight):
    c = standardize(a).t() @ standardize(b) / len(a)
    on_diagonal = (c.diagonal() - 1).pow(2).sum()
    off_diagonal = c.pow(2).sum() - c.diagonal().pow(2).sum()
    return on_diagonal + weight * off_diagonal


def two_views(x):
    return x + 0.1 * torch.randn_like(x), x * (0.9 + 0.2 * torch.rand(len(x), 1))


class Trainer:
    def __init__(self, model, epochs, batches):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        total = epochs * batches
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=total)

    def step(self, x):
        first, second = two_views(x)
        loss = barlow_loss(self.model(first), self.model(second), weight=0.01)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()


data = torch.randn(48, 6) @ torch.randn(6, 12)
trainer = Trainer(Projector(12, 24, 6), epochs=3, batches=3)
for epoch in range(3):
    losses = [trainer.step(data[rows]) for rows in torch.randperm(48).split(16)]
    print(epoch, sum(losses) / len(losses))
