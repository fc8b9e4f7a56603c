"""torchmetrics: metrics updated with logits inside the training loop.

packages: torchmetrics
"""
import torch
import torchmetrics
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
metrics = torchmetrics.MetricCollection({
    "accuracy": torchmetrics.Accuracy(task="multiclass", num_classes=3),
    "f1": torchmetrics.F1Score(task="multiclass", num_classes=3, average="macro"),
    "auroc": torchmetrics.AUROC(task="multiclass", num_classes=3),
})
mean_loss = torchmetrics.MeanMetric()
x = torch.randn(36, 6)
y = x[:, :3].argmax(1)
for epoch in range(2):
    for i in range(0, 36, 12):
        logits = model(x[i:i + 12])
        loss = nn.functional.cross_entropy(logits, y[i:i + 12])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(logits.softmax(1), y[i:i + 12])
        mean_loss.update(loss)
    print(epoch, {k: round(v.item(), 3) for k, v in metrics.compute().items()}, round(mean_loss.compute().item(), 3))
    metrics.reset()
    mean_loss.reset()
