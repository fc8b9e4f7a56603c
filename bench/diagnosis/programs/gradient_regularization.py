"""Classification with a penalty on the gradient with respect to the input."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(64)


class SmoothClassifier(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def input_gradient(loss, x):
    (gradient,) = torch.autograd.grad(loss, x, create_graph=True)
    return gradient


def training_loss(model, x, y, weight):
    x = x.clone().requires_grad_()
    loss = F.cross_entropy(model(x), y)
    gradient = input_gradient(loss, x)
    penalty = gradient.pow(2).sum(dim=1).mean()
    return loss + weight * penalty, penalty


def sharpness(model, x):
    x = x.clone().requires_grad_()
    confidence = model(x).logsumexp(dim=1).sum()
    (gradient,) = torch.autograd.grad(confidence, x)
    return gradient.norm(dim=1).mean().item()


x = torch.randn(36, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
model = SmoothClassifier(4, 14, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.8)
for epoch in range(3):
    for rows in torch.randperm(36).split(12):
        loss, penalty = training_loss(model, x[rows], y[rows], weight=5.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}, penalty {penalty.item():.5f}, slope {sharpness(model, x):.4f}")
