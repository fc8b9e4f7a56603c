from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    nodes: int = 120
    classes: int = 3
    features: int = 24
    hidden: int = 16
    dropout: float = 0.5
    lr: float = 0.02
    weight_decay: float = 5e-4
    epochs: int = 12


class GraphConv(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout):
        super().__init__()
        self.gc1 = GraphConv(nfeat, nhid)
        self.gc2 = GraphConv(nhid, nclass)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        x = F.dropout(x, self.dropout, training=self.training)
        x = self.gc2(x, adj)
        return F.log_softmax(x, dim=1)


def normalise(adj):
    adj = adj + torch.eye(adj.size(0))
    d = adj.sum(1).pow(-0.5)
    return d[:, None] * adj * d[None, :]


def stochastic_block_model(cfg):
    labels = torch.arange(cfg.nodes) % cfg.classes
    same = labels[:, None] == labels[None, :]
    prob = torch.where(same, torch.tensor(0.12), torch.tensor(0.02))
    upper = torch.triu((torch.rand(cfg.nodes, cfg.nodes) < prob).float(), diagonal=1)
    centers = torch.randn(cfg.classes, cfg.features)
    features = centers[labels] + 2.0 * torch.randn(cfg.nodes, cfg.features)
    return features, normalise(upper + upper.t()), labels


def accuracy(output, labels):
    return (output.argmax(1) == labels).float().mean().item()


def train_epoch(model, optimizer, features, adj, labels, idx_train):
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss = F.nll_loss(output[idx_train], labels[idx_train])
    loss.backward()
    optimizer.step()
    return loss.item()


def test(model, features, adj, labels, idx):
    model.eval()
    with torch.no_grad():
        output = model(features, adj)
    return {"loss": F.nll_loss(output[idx], labels[idx]).item(), "acc": accuracy(output[idx], labels[idx])}


def main(cfg):
    torch.manual_seed(42)
    features, adj, labels = stochastic_block_model(cfg)
    perm = torch.randperm(cfg.nodes)
    idx_train, idx_val, idx_test = perm[:30], perm[30:70], perm[70:]
    model = GCN(cfg.features, cfg.hidden, cfg.classes, cfg.dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    for epoch in range(cfg.epochs):
        loss = train_epoch(model, optimizer, features, adj, labels, idx_train)
        val = test(model, features, adj, labels, idx_val)
        print(f"Epoch {epoch:03d} loss {loss:.4f} val_loss {val['loss']:.4f} val_acc {val['acc']:.3f}")
    print("test", test(model, features, adj, labels, idx_test))
    return model, features, adj


if __name__ == "__main__":
    model, features, adj = main(Config())
