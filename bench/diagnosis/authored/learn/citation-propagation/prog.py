import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class CitationGraph:
    def __init__(self, nodes=60, classes=3, feats=16, p_in=0.3, p_out=0.04, seed=1):
        rng = random.Random(seed)
        self.labels = torch.tensor([i % classes for i in range(nodes)])
        self.num_nodes, self.num_classes = nodes, classes
        self.edges = []
        for i in range(nodes):
            for j in range(i):
                p = p_in if i % classes == j % classes else p_out
                if rng.random() < p:
                    self.edges += [(i, j), (j, i)]
        centers = torch.randn(classes, feats)
        self.x = centers[self.labels] + 2.0 * torch.randn(nodes, feats)
        order = torch.randperm(nodes)
        self.train_idx, self.val_idx = order[:20], order[20:]

    def adjacency(self):
        index = torch.tensor(self.edges).t()
        adj = torch.zeros(self.num_nodes, self.num_nodes)
        adj[index[0], index[1]] = 1.0
        adj = adj + torch.eye(self.num_nodes)
        return adj


class Propagation(nn.Module):
    """K hops with a learnable teleport."""

    def __init__(self, hops):
        super().__init__()
        self.hops = hops
        self.alpha = nn.Parameter(torch.tensor(-2.0))

    def forward(self, h, adj):
        a = torch.sigmoid(self.alpha)
        z = h
        for _ in range(self.hops):
            z = (1 - a) * (adj @ z) + a * h
        return z


class APPNP(nn.Module):
    def __init__(self, feats, classes, hidden=24, hops=8, p=0.2):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(feats, hidden), nn.ReLU(), nn.Dropout(p), nn.Linear(hidden, classes))
        self.propagate = Propagation(hops)

    def forward(self, x, adj):
        return self.propagate(self.encode(x), adj)


class NodeTrainer:
    def __init__(self, model, graph, lr=0.01, weight_decay=5e-4):
        self.model, self.graph = model, graph
        self.adj = graph.adjacency()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=weight_decay)

    def step(self):
        self.model.train()
        self.optimizer.zero_grad()
        logits = self.model(self.graph.x, self.adj)
        idx = self.graph.train_idx
        loss = F.cross_entropy(logits[idx], self.graph.labels[idx])
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, idx):
        self.model.eval()
        pred = self.model(self.graph.x, self.adj).argmax(dim=1)
        return (pred[idx] == self.graph.labels[idx]).float().mean().item()


def main():
    torch.manual_seed(27)
    graph = CitationGraph()
    model = APPNP(graph.x.size(1), graph.num_classes)
    trainer = NodeTrainer(model, graph)
    for epoch in range(12):
        loss = trainer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:3d} loss {loss:.4g} val acc {trainer.accuracy(graph.val_idx):.3f}")
    print("train acc", trainer.accuracy(graph.train_idx))


if __name__ == "__main__":
    main()
