import torch
import torch.nn as nn

torch.manual_seed(17)


class Siamese(nn.Module):
    def __init__(self, inputs, embedding):
        super().__init__()
        self.branch = nn.Sequential(
            nn.Linear(inputs, 16),
            nn.ReLU(),
            nn.Linear(16, embedding),
        )

    def forward(self, left, right):
        return self.branch(left), self.branch(right)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, same):
        distance = (a - b).pow(2).sum(dim=1).add(1e-8).sqrt()
        attract = same * distance.pow(2)
        repel = (1 - same) * (self.margin - distance).clamp(min=0).pow(2)
        return (attract + repel).mean()


def pairs(prototypes, n):
    first = torch.randint(len(prototypes), (n,))
    second = torch.where(torch.rand(n) < 0.5, first, torch.randint(len(prototypes), (n,)))
    same = (first == second).float()
    noise = 0.1
    left = prototypes[first] + noise * torch.randn(n, prototypes.shape[1])
    right = prototypes[second] + noise * torch.randn(n, prototypes.shape[1])
    return left, right, same


prototypes = torch.randn(5, 6)
net = Siamese(6, 3)
criterion = ContrastiveLoss(margin=1.0)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for iteration in range(8):
    left, right, same = pairs(prototypes, 16)
    optimizer.zero_grad()
    a, b = net(left, right)
    loss = criterion(a, b, same)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

net.eval()
with torch.no_grad():
    left, right, same = pairs(prototypes, 20)
    a, b = net(left, right)
    distance = (a - b).norm(dim=1)
    correct = ((distance < 0.5).float() == same).float().mean().item()
print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}, correct {correct:.2f}")
