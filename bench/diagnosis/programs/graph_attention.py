import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(22)


class AttentionLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.project = nn.Linear(inputs, outputs, bias=False)
        self.source = nn.Linear(outputs, 1, bias=False)
        self.target = nn.Linear(outputs, 1, bias=False)

    def forward(self, x, adjacency):
        h = self.project(x)
        scores = self.source(h) + self.target(h).transpose(0, 1)
        scores = F.leaky_relu(scores, 0.2)
        scores = scores.masked_fill(adjacency == 0, -1e9)
        attention = F.softmax(scores, dim=1)
        return attention @ h


class GAT(nn.Module):
    def __init__(self, inputs, hidden, heads, classes):
        super().__init__()
        self.heads = nn.ModuleList([AttentionLayer(inputs, hidden) for _ in range(heads)])
        self.out = AttentionLayer(heads * hidden, classes)
        self.drop = nn.Dropout(0.2)

    def forward(self, x, adjacency):
        h = torch.cat([head(x, adjacency) for head in self.heads], dim=1)
        h = self.drop(F.elu(h))
        return self.out(h, adjacency)


nodes = 14
labels = torch.arange(nodes) % 2
adjacency = torch.eye(nodes)
for i in range(nodes):
    adjacency[i, (i + 2) % nodes] = 1.0
    adjacency[(i + 2) % nodes, i] = 1.0
features = torch.randn(nodes, 5) + labels.unsqueeze(1).float()
model = GAT(5, 4, 2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def evaluate():
    model.eval()
    with torch.no_grad():
        logits = model(features, adjacency)
    model.train()
    return (logits.argmax(dim=-1) == labels).float().mean().item()


for epoch in range(5):
    optimizer.zero_grad()
    loss = F.nll_loss(F.log_softmax(model(features, adjacency), dim=1), labels)
    loss.backward()
    optimizer.step()
    print(f"{epoch}: {loss.item():.4f} {evaluate():.2f}")
