import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(59)


class Embedder(nn.Module):
    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.output = nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.output(F.relu(self.hidden(x)))


def episode(prototypes, ways, shots, queries):
    classes = torch.randperm(len(prototypes))[:ways]
    centers = prototypes[classes].unsqueeze(1)
    width = prototypes.shape[1]
    support = centers + 0.3 * torch.randn(ways, shots, width)
    query = centers + 0.3 * torch.randn(ways, queries, width)
    labels = torch.arange(ways).repeat_interleave(queries)
    return support, query.reshape(ways * queries, width), labels


def squared_distances(a, b):
    return (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(dim=2)


def episode_logits(model, support, query):
    ways, shots, width = support.shape
    embedded = model(support.reshape(ways * shots, width))
    centers = embedded.view(ways, shots, -1).mean(dim=1)
    return -squared_distances(model(query), centers)


prototypes = torch.randn(10, 8)
model = Embedder(8, 20, 5)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
for iteration in range(6):
    support, query, labels = episode(prototypes, ways=4, shots=2, queries=3)
    logits = episode_logits(model, support, query)
    loss = F.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"{iteration}: {loss.item():.4f}")

model.eval()
with torch.no_grad():
    correct = []
    for _ in range(3):
        support, query, labels = episode(prototypes, 4, 2, 3)
        predictions = episode_logits(model, support, query).argmax(dim=1)
        correct.append((predictions == labels).float().mean().item())
print("accuracy", sum(correct) / len(correct))
