"""Domain adaptation with a gradient reversal layer."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(70)


class ReverseGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


class DANN(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(inputs, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.label = nn.Linear(hidden, classes)
        self.domain = nn.Sequential(nn.Linear(hidden, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x, strength):
        h = self.features(x)
        reversed_h = ReverseGradient.apply(h, strength)
        return self.label(h), self.domain(reversed_h).squeeze(1)


def domain_data(n, shift):
    x = torch.randn(n, 4)
    y = (x[:, 0] + x[:, 1] > 0).long()
    return x + shift, y


source_x, source_y = domain_data(32, 0.0)
target_x, target_y = domain_data(32, 1.0)
model = DANN(4, 12, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
steps = 0
for epoch in range(3):
    model.train()
    for start in range(0, 32, 8):
        rows = slice(start, start + 8)
        strength = min(1.0, steps / 10)
        logits, source_domain = model(source_x[rows], strength)
        _, target_domain = model(target_x[rows], strength)
        label_loss = F.cross_entropy(logits, source_y[rows])
        domain_logits = torch.cat([source_domain, target_domain])
        domain_labels = torch.cat([torch.zeros(8), torch.ones(8)])
        domain_loss = F.binary_cross_entropy_with_logits(domain_logits, domain_labels)
        loss = label_loss + domain_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
    model.eval()
    with torch.no_grad():
        logits, _ = model(target_x, 0.0)
        accuracy = (logits.argmax(dim=1) == target_y).float().mean().item()
    print(f"epoch {epoch}: label {label_loss.item():.3f} domain {domain_loss.item():.3f} target {accuracy:.2f}")
