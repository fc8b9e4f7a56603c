import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(53)


class Expert(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, inputs))

    def forward(self, x):
        return self.net(x)


class MixtureOfExperts(nn.Module):
    def __init__(self, inputs, hidden, experts):
        super().__init__()
        self.experts = nn.ModuleList([Expert(inputs, hidden) for _ in range(experts)])
        self.gate = nn.Linear(inputs, experts)

    def forward(self, x):
        weights = F.softmax(self.gate(x), dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        mixed = (weights.unsqueeze(-1) * outputs).sum(dim=1)
        balance = weights.mean(dim=0).pow(2).sum() * len(self.experts)
        return mixed, balance


class Model(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.norm = nn.LayerNorm(inputs)
        self.moe = MixtureOfExperts(inputs, 12, 3)
        self.head = nn.Linear(inputs, classes)

    def forward(self, x):
        mixed, balance = self.moe(self.norm(x))
        return self.head(x + mixed), balance


x = torch.randn(40, 6)
y = (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 0).long()
model = Model(6, 3)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.02, total_steps=12)
for epoch in range(3):
    for rows in torch.randperm(40).split(10):
        logits, balance = model(x[rows])
        loss = F.cross_entropy(logits, y[rows]) + 0.01 * balance
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"epoch {epoch}: loss {loss.item():.4f} balance {balance.item():.3f}")
