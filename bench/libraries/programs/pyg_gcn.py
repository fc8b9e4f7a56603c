"""PyTorch Geometric: a two-layer GCN on a random graph with masks.

packages: torch-geometric
"""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
n = 30
y = torch.arange(n) % 3
edges = torch.stack([torch.randint(0, n, (120,)), torch.randint(0, n, (120,))])
edges = edges[:, (y[edges[0]] == y[edges[1]]) | (torch.rand(120) < 0.2)]
data = Data(x=torch.randn(n, 8) + y[:, None], edge_index=edges, y=y)
data.train_mask = torch.rand(n) < 0.5


class GCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GCNConv(8, 16)
        self.second = GCNConv(16, 3)

    def forward(self, data):
        h = F.relu(self.first(data.x, data.edge_index))
        h = F.dropout(h, 0.5, training=self.training)
        return F.log_softmax(self.second(h, data.edge_index), dim=1)


model = GCN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(6):
    model.train()
    optimizer.zero_grad()
    loss = F.nll_loss(model(data)[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    right = model(data).argmax(1) == data.y
print(round(loss.item(), 3), right[~data.train_mask].float().mean().item())
