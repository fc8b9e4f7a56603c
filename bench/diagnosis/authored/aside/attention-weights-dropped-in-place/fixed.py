import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DropAttention(nn.Module):
    """Drops whole columns of an attention matrix."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, attn):
        if not self.training:
            return attn
        keep = (torch.rand(attn.shape[0], 1, attn.shape[-1]) > self.p).float()
        return attn * keep / (1 - self.p)


class SetAttention(nn.Module):
    def __init__(self, width, p=0.2):
        super().__init__()
        self.to_qkv = nn.Linear(width, 3 * width)
        self.drop = DropAttention(p)
        self.scale = width ** -0.5

    def forward(self, x):
        q, k, v = self.to_qkv(x).split(x.shape[-1], dim=-1)
        attn = torch.softmax(self.scale * torch.bmm(q, k.transpose(1, 2)), dim=-1)
        return torch.bmm(self.drop(attn), v)


class PointClassifier(nn.Module):
    def __init__(self, width=16, classes=3):
        super().__init__()
        self.lift = nn.Linear(2, width)
        self.attention = SetAttention(width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, points):
        h = torch.relu(self.lift(points))
        h = self.norm(h + self.attention(h))
        return self.head(h.max(dim=1).values)


def clouds(n, points=12):
    label = torch.randint(0, 3, (n,))
    angle = 6.283 * torch.rand(n, points)
    radius = torch.where(label.unsqueeze(1) == 0, torch.ones(1), torch.rand(n, points))
    cloud = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=-1)
    cloud[label == 2] *= torch.tensor([1.0, 0.1])
    return TensorDataset(cloud + 0.03 * torch.randn_like(cloud), label)


class Fit:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def __call__(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for points, label in loader:
                loss = nn.functional.cross_entropy(self.model(points), label)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("epoch", epoch, "loss", round(loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(20)
    model = PointClassifier()
    Fit(model)(DataLoader(clouds(96), batch_size=16, shuffle=True), epochs=2)
    model.eval()
    with torch.no_grad():
        points, label = clouds(32).tensors
        print("accuracy", (model(points).argmax(1) == label).float().mean().item())
