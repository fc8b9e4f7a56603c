import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(40, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.1 * torch.randn(40, 1)
train, test = random_split(TensorDataset(x, y), [30, 10])
w = torch.zeros(3, 1, requires_grad=True)
for epoch in range(4):
    total = 0.0
    for xb, yb in DataLoader(train, batch_size=8, shuffle=True):
        loss = ((xb @ w - yb) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
        total += loss.item() * len(xb)
    print(epoch, round(total / len(train), 4))
with torch.no_grad():
    losses = [((xb @ w - yb) ** 2).mean().item() for xb, yb in DataLoader(test, batch_size=5)]
print([round(v, 4) for v in losses], w.flatten())
