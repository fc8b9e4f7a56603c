import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class CosineScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None


class FaceNet(nn.Module):
    def __init__(self, inputs=18, width=24, embed=8, people=6, scale=8.0):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.PReLU(), nn.Linear(width, embed))
        self.weight = nn.Parameter(torch.randn(people, embed))
        self.scale = scale

    def embed(self, x):
        return F.normalize(self.body(x), dim=1)

    def forward(self, x):
        cosine = self.embed(x) @ F.normalize(self.weight, dim=1).t()
        logits = CosineScale.apply(cosine, self.scale)
        return logits, cosine


class MarginLoss(nn.Module):
    def __init__(self, margin=0.2, weight=0.5):
        super().__init__()
        self.margin, self.weight = margin, weight

    def forward(self, logits, cosine, label):
        target = cosine.gather(1, label.unsqueeze(1)).squeeze(1)
        gap = F.relu(self.margin + 0.5 - target).mean()
        return F.cross_entropy(logits, label) + self.weight * gap


def faces(n, people=6, inputs=18):
    g = torch.Generator().manual_seed(5)
    centre = torch.randn(people, inputs, generator=g)
    label = torch.randint(0, people, (n,))
    return TensorDataset(centre[label] + 0.5 * torch.randn(n, inputs), label)


def verification(net, data):
    net.eval()
    with torch.no_grad():
        emb = net.embed(data.tensors[0])
        same = data.tensors[1].unsqueeze(0) == data.tensors[1].unsqueeze(1)
        sim = emb @ emb.t()
        out = (sim[same].mean() - sim[~same].mean()).item()
    net.train()
    return out


torch.manual_seed(9)
net, loss_fn = FaceNet(), MarginLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
loader, held = DataLoader(faces(120), batch_size=20, shuffle=True), faces(30)
for epoch in range(3):
    for x, y in loader:
        logits, cosine = net(x)
        loss = loss_fn(logits, cosine, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4), "gap", round(verification(net, held), 3))
