import torch
from torch import nn
from torch.autograd import Function
from torch.utils.data import DataLoader, TensorDataset


class PinballLoss(Function):
    @staticmethod
    def forward(ctx, pred, target, quantiles):
        error = target.unsqueeze(1) - pred
        ctx.save_for_backward(error, quantiles)
        return torch.max(quantiles * error, (quantiles - 1) * error).mean()

    @staticmethod
    def backward(ctx, grad_output):
        error, quantiles = ctx.saved_tensors
        grad_pred = torch.where(error > 0, -quantiles, 1 - quantiles)
        return grad_output * grad_pred, None, None


class QuantileLoss(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("quantiles", torch.tensor(quantiles))

    def forward(self, pred, target):
        return PinballLoss.apply(pred, target, self.quantiles.expand_as(pred))


class GatedResidual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc1, self.fc2, self.gate = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, 2 * dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        h = self.fc2(nn.functional.elu(self.fc1(x)))
        return self.norm(x + nn.functional.glu(self.gate(h), dim=-1))


class SalesForecaster(nn.Module):
    def __init__(self, lags, stores, quantiles, dim=16):
        super().__init__()
        self.store = nn.Embedding(stores, 4)
        self.inp = nn.Linear(lags + 4, dim)
        self.blocks = nn.Sequential(GatedResidual(dim), GatedResidual(dim))
        self.out = nn.Linear(dim, len(quantiles))

    def forward(self, history, store):
        x = self.inp(torch.cat([history, self.store(store)], dim=1))
        return self.out(self.blocks(x))


def sales_data(weeks=60, stores=5, lags=6):
    level = torch.rand(stores) * 2
    week = torch.arange(weeks).float()
    season = torch.sin(week / 8)
    series = level[:, None] + season[None] + 0.2 * torch.randn(stores, weeks) * (1 + level[:, None])
    history, store, target = [], [], []
    for s in range(stores):
        for t in range(lags, weeks):
            history.append(series[s, t - lags:t])
            store.append(s)
            target.append(series[s, t])
    return TensorDataset(torch.stack(history), torch.tensor(store), torch.stack(target))


def coverage(model, data, quantiles):
    history, store, target = data.tensors
    with torch.no_grad():
        pred = model(history, store)
    return {q: round((target <= pred[:, i]).float().mean().item(), 3) for i, q in enumerate(quantiles)}


def fit(model, criterion, data, epochs=5):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[3], gamma=0.2)
    loader = DataLoader(data, batch_size=30, shuffle=True)
    for epoch in range(epochs):
        losses, norms = [], []
        for history, store, target in loader:
            loss = criterion(model(history, store), target)
            optimizer.zero_grad()
            loss.backward()
            norms.append(model.out.weight.grad.norm().item())
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        print("epoch %d pinball %.4f gradient %.3f" % (epoch, sum(losses) / len(losses), sum(norms) / len(norms)))


torch.manual_seed(23)
QUANTILES = [0.1, 0.5, 0.9]
data = sales_data()
model, criterion = SalesForecaster(6, 5, QUANTILES), QuantileLoss(QUANTILES)
fit(model, criterion, data)
print("coverage", coverage(model, data, QUANTILES))
