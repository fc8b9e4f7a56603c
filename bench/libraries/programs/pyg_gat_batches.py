"""PyTorch Geometric: attention over batches of small graphs with pooling.

packages: torch-geometric
"""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATv2Conv, SAGEConv, global_mean_pool

torch.manual_seed(0)
graphs = []
for i in range(16):
    n = 5 + i % 3
    ring = torch.stack([torch.arange(n), (torch.arange(n) + 1) % n])
    graphs.append(Data(x=torch.randn(n, 4) + i % 2, edge_index=torch.cat([ring, ring.flip(0)], 1), y=torch.tensor([i % 2])))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = GATv2Conv(4, 8, heads=2)
        self.sage = SAGEConv(16, 8)
        self.out = torch.nn.Linear(8, 2)

    def forward(self, batch):
        h = F.elu(self.attend(batch.x, batch.edge_index))
        h = F.elu(self.sage(h, batch.edge_index))
        return self.out(global_mean_pool(h, batch.batch))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    total = 0.0
    for batch in DataLoader(graphs, batch_size=4, shuffle=True):
        loss = F.cross_entropy(model(batch), batch.y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss) * batch.num_graphs
    print(epoch, round(total / len(graphs), 3))
