import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Embedder(nn.Module):
    def __init__(self, inputs=14, width=28, embed=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, embed))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class ProxyBank(nn.Module):
    def __init__(self, classes, embed):
        super().__init__()
        self.proxies = nn.Parameter(3 * torch.randn(classes, embed))

    def similarity(self, z):
        return z @ self.proxies.t()

    def project(self):
        norm = self.proxies.data.norm(dim=1, keepdim=True)
        self.proxies.data.div_(norm)


class ProxyLoss(nn.Module):
    def __init__(self, bank, temperature=0.5):
        super().__init__()
        self.bank, self.temperature = bank, temperature

    def forward(self, z, label):
        logits = self.bank.similarity(z) / self.temperature
        loss = F.cross_entropy(logits, label)
        return loss


def products(n, classes=5, inputs=14):
    g = torch.Generator().manual_seed(77)
    centre = torch.randn(classes, inputs, generator=g)
    label = torch.randint(0, classes, (n,))
    return TensorDataset(centre[label] + 0.6 * torch.randn(n, inputs), label)


def recall_at_1(net, data):
    net.eval()
    with torch.no_grad():
        z = net(data.tensors[0])
        sim = z @ z.t()
        sim.fill_diagonal_(-2.0)
        hit = data.tensors[1][sim.argmax(dim=1)] == data.tensors[1]
    net.train()
    return hit.float().mean().item()


class Retrieval:
    def __init__(self, classes=5, lr=0.05):
        self.net, self.bank = Embedder(), ProxyBank(classes, 8)
        self.loss = ProxyLoss(self.bank)
        params = list(self.net.parameters()) + list(self.bank.parameters())
        self.opt = torch.optim.SGD(params, lr=lr, momentum=0.9)

    def epoch(self, loader):
        total = 0.0
        for x, y in loader:
            self.opt.zero_grad()
            loss = self.loss(self.net(x), y)
            loss.backward()
            self.opt.step()
            self.bank.project()
            total += loss.item()
        return total / len(loader)


torch.manual_seed(36)
run = Retrieval()
loader, gallery = DataLoader(products(125), batch_size=25, shuffle=True), products(40)
for epoch in range(3):
    print(f"epoch {epoch} loss {run.epoch(loader):.4f} recall {recall_at_1(run.net, gallery):.3f}")
