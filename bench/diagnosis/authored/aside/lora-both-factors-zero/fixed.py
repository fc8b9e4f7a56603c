import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class LoRALinear(nn.Module):
    def __init__(self, base, rank=4, alpha=8.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.lora_a = nn.Parameter(torch.empty(rank, base.in_features))
        nn.init.kaiming_uniform_(self.lora_a, a=5 ** 0.5)
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scaling * F.linear(F.linear(x, self.lora_a), self.lora_b)


class Backbone(nn.Module):
    def __init__(self, inputs=12, width=32):
        super().__init__()
        self.up, self.mid = nn.Linear(inputs, width), nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(F.gelu(self.mid(F.gelu(self.up(x)))))


class Classifier(nn.Module):
    def __init__(self, backbone, classes, width=32):
        super().__init__()
        self.backbone, self.head = backbone, nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.backbone(x))


def domain(n, shift, classes=3):
    g = torch.Generator().manual_seed(100 + int(10 * shift))
    centre = torch.randn(classes, 12, generator=g) + shift
    y = torch.randint(0, classes, (n,))
    return TensorDataset(centre[y] + 0.8 * torch.randn(n, 12), y)


def fit(model, params, loader, epochs, lr, tag):
    optimizer = torch.optim.AdamW(params, lr=lr, weight_decay=0.0)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(tag, "epoch", epoch, "loss", round(loss.item(), 4))


def inject(model, rank=4):
    for p in model.backbone.parameters():
        p.requires_grad_(False)
    for name in ("up", "mid"):
        setattr(model.backbone, name, LoRALinear(getattr(model.backbone, name), rank))
    return [p for p in model.parameters() if p.requires_grad]


torch.manual_seed(29)
model = Classifier(Backbone(), classes=3)
fit(model, model.parameters(), DataLoader(domain(128, 0.0), batch_size=32, shuffle=True), 2, 5e-3, "source")
model.head = nn.Linear(32, 3)
fit(model, inject(model), DataLoader(domain(128, 1.0), batch_size=32, shuffle=True), 3, 5e-3, "target")
