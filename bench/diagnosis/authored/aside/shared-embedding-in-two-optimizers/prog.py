import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Tower(nn.Module):
    def __init__(self, embed, hidden=20, out=12):
        super().__init__()
        self.embed = embed
        self.net = nn.Sequential(nn.Linear(embed.embedding_dim, hidden), nn.ReLU(), nn.Linear(hidden, out))

    def forward(self, ids):
        return F.normalize(self.net(self.embed(ids).mean(dim=1)), dim=1)


class InBatchLoss(nn.Module):
    def __init__(self, temperature=0.2):
        super().__init__()
        self.temperature = temperature

    def forward(self, q, d):
        logits = q @ d.t() / self.temperature
        return F.cross_entropy(logits, torch.arange(len(q)))


def click_log(n, vocab=60, topics=10):
    topic = torch.randint(0, topics, (n, 1))
    words = vocab // topics
    query = topic * words + torch.randint(0, words, (n, 3))
    document = topic * words + torch.randint(0, words, (n, 6))
    return TensorDataset(query, document)


class TwoTower:
    def __init__(self, vocab=60, width=16, lr=5e-3):
        shared = nn.Embedding(vocab, width)
        self.query, self.document = Tower(shared), Tower(shared)
        self.loss = InBatchLoss()
        self.opt_query = torch.optim.Adam(self.query.parameters(), lr=lr)
        self.opt_document = torch.optim.Adam(self.document.parameters(), lr=lr)

    def step(self, query, document):
        loss = self.loss(self.query(query), self.document(document))
        self.opt_query.zero_grad()
        self.opt_document.zero_grad()
        loss.backward()
        self.opt_query.step()
        self.opt_document.step()
        return loss.item()

    def recall(self, data, k=3):
        with torch.no_grad():
            q, d = self.query(data.tensors[0]), self.document(data.tensors[1])
            top = (q @ d.t()).topk(k, dim=1).indices
        return (top == torch.arange(len(q)).unsqueeze(1)).any(dim=1).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(59)
    model = TwoTower()
    loader, test = DataLoader(click_log(160), batch_size=16, shuffle=True), click_log(30)
    for epoch in range(3):
        losses = [model.step(*batch) for batch in loader]
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} recall {model.recall(test):.3f}")
