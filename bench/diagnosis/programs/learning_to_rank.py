import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(45)


class Ranker(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.hidden = nn.Linear(features, 12)
        self.score = nn.Linear(12, 1)

    def forward(self, documents):
        h = F.relu(self.hidden(documents))
        return self.score(h).squeeze(-1)


def list_net_loss(scores, relevance):
    target = F.softmax(relevance, dim=1)
    return -(target * F.log_softmax(scores, dim=1)).sum(dim=1).mean()


def pairwise_loss(scores, relevance):
    score_difference = scores.unsqueeze(2) - scores.unsqueeze(1)
    better = (relevance.unsqueeze(2) > relevance.unsqueeze(1)).float()
    losses = F.softplus(-score_difference) * better
    return losses.sum() / better.sum().clamp(min=1)


def reciprocal_rank(scores, relevance):
    best = relevance.argmax(dim=1, keepdim=True)
    order = scores.argsort(dim=1, descending=True)
    rank = (order == best).float().argmax(dim=1) + 1
    return (1.0 / rank.float()).mean().item()


def queries(n, documents, weights):
    x = torch.randn(n, documents, len(weights))
    return x, x @ weights


weights = torch.randn(5)
x, relevance = queries(16, 6, weights)
test_x, test_relevance = queries(8, 6, weights)
model = Ranker(5)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(4):
    for start in range(0, 16, 4):
        scores = model(x[start : start + 4])
        target = relevance[start : start + 4]
        loss = list_net_loss(scores, target) + 0.5 * pairwise_loss(scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        mrr = reciprocal_rank(model(test_x), test_relevance)
    print(f"epoch {epoch}: loss {loss.item():.4f} mrr {mrr:.3f}")
