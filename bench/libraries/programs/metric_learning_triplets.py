"""pytorch-metric-learning: mined triplets, a loss with proxies and a cross-batch memory.

packages: pytorch-metric-learning
"""
import torch
from pytorch_metric_learning import losses, miners
from torch import nn

torch.manual_seed(0)
trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
miner = miners.MultiSimilarityMiner()
triplet = losses.TripletMarginLoss()
proxies = losses.ProxyAnchorLoss(num_classes=4, embedding_size=4)
memory = losses.CrossBatchMemory(losses.NTXentLoss(), embedding_size=4, memory_size=64)
optimizer = torch.optim.Adam(trunk.parameters(), lr=1e-2)
proxy_optimizer = torch.optim.SGD(proxies.parameters(), lr=0.1)
y = torch.arange(16) % 4
for step in range(6):
    x = torch.randn(16, 8) * 0.3 + y[:, None]
    embeddings = trunk(x)
    loss = triplet(embeddings, y, miner(embeddings, y)) + proxies(embeddings, y) + memory(embeddings, y)
    optimizer.zero_grad()
    proxy_optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    proxy_optimizer.step()
    print(step, round(loss.item(), 3))
