"""A graph convolution network on a ring of two communities."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)


def community_graph(nodes):
    labels = (torch.arange(nodes) >= nodes // 2).long()
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    probability = torch.where(same, 0.7, 0.1)
    upper = torch.triu(torch.rand(nodes, nodes) < probability, diagonal=1).float()
    return upper + upper.t(), labels


def normalize(adjacency):
    adjacency = adjacency + torch.eye(len(adjacency))
    degree = adjacency.sum(dim=1)
    scale = degree.pow(-0.5)
    return scale.unsqueeze(1) * adjacency * scale.unsqueeze(0)


class GraphConvolution(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, propagation):
        return propagation @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes, dropout):
        super().__init__()
        self.layers = nn.ModuleList([GraphConvolution(features, hidden), GraphConvolution(hidden, classes)])
        self.dropout = dropout

    def forward(self, x, propagation):
        x = F.relu(self.layers[0](x, propagation))
        x = F.dropout(x, p=self.dropout, training=self.training)
        return self.layers[1](x, propagation)


adjacency, labels = community_graph(16)
propagation = normalize(adjacency)
features = torch.randn(16, 6)
train_mask = torch.arange(16) % 2 == 0
model = GCN(6, 8, 2, dropout=0.3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
for epoch in range(6):
    model.train()
    logits = model(features, propagation)
    loss = F.cross_entropy(logits[train_mask], labels[train_mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        predicted = model(features, propagation).argmax(dim=1)
        accuracy = (predicted == labels)[~train_mask].float().mean().item()
    print(epoch, round(loss.item(), 4), accuracy)
