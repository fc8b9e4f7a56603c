"""Several tasks with heads in a ModuleDict; their losses are weighted by learned uncertainty."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(104)

TASKS = {"digit": 5, "parity": 2, "size": 1}


class Trunk(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.blocks = nn.ModuleDict({"first": nn.Linear(inputs, width), "second": nn.Linear(width, width)})
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        h = F.gelu(self.blocks["first"](x))
        h = h + F.gelu(self.blocks["second"](self.norm(h)))
        return h


class Network(nn.Module):
    def __init__(self, inputs, width, tasks):
        super().__init__()
        self.trunk = Trunk(inputs, width)
        self.heads = nn.ModuleDict({name: nn.Linear(width, outputs) for name, outputs in tasks.items()})
        self.log_variances = nn.ParameterDict({name: nn.Parameter(torch.zeros(())) for name in tasks})

    def forward(self, x):
        features = self.trunk(x)
        return {name: head(features) for name, head in self.heads.items()}


def task_losses(outputs, batch):
    return {
        "digit": F.cross_entropy(outputs["digit"], batch["digit"]),
        "parity": F.cross_entropy(outputs["parity"], batch["parity"]),
        "size": F.mse_loss(outputs["size"].squeeze(1), batch["size"]),
    }


def combined(model, losses):
    total = 0.0
    for name, loss in losses.items():
        log_variance = model.log_variances[name]
        total = total + torch.exp(-log_variance) * loss + 0.5 * log_variance
    return total


def make_batch(prototypes, n):
    digit = torch.randint(0, 5, (n,))
    x = prototypes[digit] + 0.3 * torch.randn(n, prototypes.shape[1])
    return {"x": x, "digit": digit, "parity": digit % 2, "size": x.norm(dim=1)}


prototypes = torch.randn(5, 8)
model = Network(8, 24, TASKS)
heads = list(model.heads.parameters()) + list(model.log_variances.parameters())
optimizer = torch.optim.Adam([{"params": model.trunk.parameters(), "lr": 0.005}, {"params": heads, "lr": 0.01}])
for step in range(10):
    batch = make_batch(prototypes, 32)
    outputs = model(batch["x"])
    losses = task_losses(outputs, batch)
    loss = combined(model, losses)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, " ".join("%s %.3f" % (name, value.item()) for name, value in losses.items()))
with torch.no_grad():
    batch = make_batch(prototypes, 64)
    guess = model(batch["x"])["digit"].argmax(dim=1)
print("accuracy", (guess == batch["digit"]).float().mean().item())
