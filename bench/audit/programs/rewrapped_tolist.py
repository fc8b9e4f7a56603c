# Embeddings go through a list of numbers between two parts of a model.
# want: lost
import torch

torch.manual_seed(24)
emb = torch.nn.Embedding(6, 3)
head = torch.nn.Linear(3, 2)
opt = torch.optim.SGD([*emb.parameters(), *head.parameters()], lr=0.1)
ids, labels = torch.tensor([0, 3, 5, 1]), torch.tensor([0, 1, 1, 0])
for _ in range(2):
    opt.zero_grad()
    vectors = emb(ids)
    cache = torch.tensor(vectors.tolist())  # good: cache = vectors
    loss = torch.nn.functional.cross_entropy(head(cache), labels) + 0.01 * vectors.pow(2).mean()
    loss.backward()
    opt.step()
