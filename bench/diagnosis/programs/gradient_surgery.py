import torch
import torch.nn as nn

torch.manual_seed(72)


class TwoHeads(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.trunk = nn.Linear(inputs, hidden)
        self.left = nn.Linear(hidden, 1)
        self.right = nn.Linear(hidden, 1)

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return self.left(h).squeeze(1), self.right(h).squeeze(1)


def flatten(gradients):
    return torch.cat([g.reshape(-1) for g in gradients])


def project(g, other):
    dot = g @ other
    if dot < 0:
        g = g - dot / other.pow(2).sum() * other
    return g


def assign(parameters, flat):
    position = 0
    for p in parameters:
        p.grad = flat[position : position + p.numel()].view_as(p).clone()
        position += p.numel()


x = torch.randn(40, 5)
targets = torch.stack([x[:, 0] * x[:, 1], -x[:, 0] + x[:, 2]], dim=1)
model = TwoHeads(5, 12)
shared = list(model.trunk.parameters())
heads = [*model.left.parameters(), *model.right.parameters()]
optimizer = torch.optim.Adam([*shared, *heads], lr=0.01)
for epoch in range(3):
    conflicts = 0
    for rows in torch.randperm(40).split(10):
        left, right = model(x[rows])
        left_loss = (left - targets[rows, 0]).pow(2).mean()
        right_loss = (right - targets[rows, 1]).pow(2).mean()
        first = flatten(torch.autograd.grad(left_loss, shared, retain_graph=True))
        second = flatten(torch.autograd.grad(right_loss, shared, retain_graph=True))
        conflicts += int(first @ second < 0)
        optimizer.zero_grad()
        loss = left_loss + right_loss
        loss.backward()
        assign(shared, project(first, second) + project(second, first))
        optimizer.step()
    print(epoch, round(left_loss.item(), 4), round(right_loss.item(), 4), conflicts)
