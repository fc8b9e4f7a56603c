"""Skip-gram with negative sampling."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(44)

CORPUS = "the cat sat on the mat the dog sat on the log the cat saw the dog".split()


class SkipGram(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.center = nn.Embedding(vocabulary, width)
        self.context = nn.Embedding(vocabulary, width)
        nn.init.uniform_(self.center.weight, -0.5 / width, 0.5 / width)
        nn.init.uniform_(self.context.weight, -0.5 / width, 0.5 / width)

    def forward(self, words, contexts, negatives):
        center = self.center(words).unsqueeze(2)
        positive = torch.bmm(self.context(contexts).unsqueeze(1), center).squeeze(2).squeeze(1)
        negative = torch.bmm(self.context(negatives), center).squeeze(2)
        return positive, negative


def skip_grams(ids, window):
    pairs = []
    for i, word in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if i != j:
                pairs.append((word, ids[j]))
    return torch.tensor(pairs)


vocabulary = sorted(set(CORPUS))
ids = [vocabulary.index(word) for word in CORPUS]
pairs = skip_grams(ids, window=2)
frequency = torch.bincount(torch.tensor(ids)).float().pow(0.75)
model = SkipGram(len(vocabulary), 8)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.2)
for epoch in range(3):
    total, batches = 0.0, 0
    for batch in pairs[torch.randperm(len(pairs))].split(16):
        negatives = torch.multinomial(frequency, 3 * len(batch), replacement=True).view(len(batch), 3)
        positive, negative = model(batch[:, 0], batch[:, 1], negatives)
        loss = F.binary_cross_entropy_with_logits(positive, torch.ones_like(positive))
        loss = loss + 3 * F.binary_cross_entropy_with_logits(negative, torch.zeros_like(negative))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        batches += 1
    print(epoch, round(total / batches, 4))

vectors = F.normalize(model.center.weight.detach(), dim=1)
nearest = (vectors @ vectors.t()).fill_diagonal_(-1).argmax(dim=1)
print({word: vocabulary[i] for word, i in zip(vocabulary, nearest.tolist())})
