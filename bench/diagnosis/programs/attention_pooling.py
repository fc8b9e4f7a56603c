"""Multiple instance learning: gated attention decides which instance of a bag counts."""

import torch
import torch.nn as nn

torch.manual_seed(109)


class GatedAttention(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.content = nn.Linear(width, hidden)
        self.gate = nn.Linear(width, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(self, instances, mask):
        gated = torch.tanh(self.content(instances)) * torch.sigmoid(self.gate(instances))
        scores = self.score(gated).squeeze(-1)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=1)
        pooled = torch.bmm(weights.unsqueeze(1), instances).squeeze(1)
        return pooled, weights


class BagClassifier(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.attention = GatedAttention(width, 8)
        self.output = nn.Linear(width, 1)

    def forward(self, bags, mask):
        embedded = self.embed(bags)
        pooled, weights = self.attention(embedded, mask)
        logits = self.output(pooled).squeeze(1)
        return {"logits": logits, "weights": weights}


def make_bags(n, most):
    bags = torch.randn(n, most, 5)
    sizes = torch.randint(3, most + 1, (n,))
    mask = torch.arange(most) < sizes.unsqueeze(1)
    positive = torch.rand(n) < 0.5
    bags[positive, 0, :2] += 2.5
    return {"bags": bags, "mask": mask, "labels": positive.float()}


def entropy(weights):
    return -(weights * (weights + 1e-9).log()).sum(dim=1).mean()


model = BagClassifier(5, 16)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
train_set = [make_bags(16, 7) for _ in range(4)]
test_set = make_bags(40, 7)
for epoch in range(4):
    total = 0.0
    for batch in train_set:
        output = model(batch["bags"], batch["mask"])
        bag_loss = criterion(output["logits"], batch["labels"])
        loss = bag_loss + 0.01 * entropy(output["weights"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += bag_loss.item()
    print("epoch", epoch, "loss %.4f" % (total / len(train_set)))
with torch.no_grad():
    output = model(test_set["bags"], test_set["mask"])
    right = (output["logits"] > 0).float() == test_set["labels"]
print("accuracy %.3f" % right.float().mean().item(), "first weight %.3f" % output["weights"][:, 0].mean().item())
