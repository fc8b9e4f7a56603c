import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def parse_args(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=90)
    parser.add_argument("--features", type=int, default=24)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=42)
    return parser.parse_args(argv)


class CitationGraph:
    def __init__(self, args, classes=3):
        self.y = torch.randint(classes, (args.nodes,))
        same = self.y[:, None] == self.y[None, :]
        prob = torch.where(same, torch.tensor(0.15), torch.tensor(0.02))
        adj = torch.triu((torch.rand(args.nodes, args.nodes) < prob).float(), diagonal=1)
        adj = adj + adj.t() + torch.eye(args.nodes)
        deg = adj.sum(1).rsqrt()
        self.adj = deg[:, None] * adj * deg[None, :]
        centres = torch.randn(classes, args.features)
        self.x = centres[self.y] + 2.0 * torch.randn(args.nodes, args.features)
        perm = torch.randperm(args.nodes)
        self.train_idx, self.val_idx = perm[:30], perm[30:]


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        stdv = 1.0 / math.sqrt(out_features)
        self.weight.data.uniform_(-stdv, stdv)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nhid)
        self.norm = nn.LayerNorm(nhid)
        self.out = GraphConvolution(nhid, nclass)
        self.dropout = dropout

    def encode(self, x, adj):
        h = F.relu(self.gc1(x, adj))
        h = h + F.relu(self.gc2(h, adj))
        return F.dropout(self.norm(h), self.dropout, training=self.training)

    def forward(self, x, adj):
        return F.log_softmax(self.out(self.encode(x, adj), adj), dim=1)


def accuracy(output, labels):
    return (output.argmax(1) == labels).float().mean().item()


def train_epoch(model, graph, optimizer):
    model.train()
    optimizer.zero_grad()
    output = model(graph.x, graph.adj)
    loss = F.nll_loss(output[graph.train_idx], graph.y[graph.train_idx])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def validate(model, graph):
    model.eval()
    output = model(graph.x, graph.adj)
    loss = F.nll_loss(output[graph.val_idx], graph.y[graph.val_idx]).item()
    return loss, accuracy(output[graph.val_idx], graph.y[graph.val_idx])


args = parse_args()
torch.manual_seed(args.seed)
graph = CitationGraph(args)
model = GCN(args.features, args.hidden, 3, args.dropout)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
best = 0.0
for epoch in range(args.epochs):
    train_loss = train_epoch(model, graph, optimizer)
    val_loss, val_acc = validate(model, graph)
    best = max(best, val_acc)
    if epoch % 4 == 3:
        print(f"Epoch {epoch + 1:03d} train {train_loss:.4f} val {val_loss:.4f} acc {val_acc:.3f}")
print("best validation accuracy", round(best, 3))
