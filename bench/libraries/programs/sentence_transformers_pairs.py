"""sentence-transformers: losses on a model built from modules of its own, trained by hand.

packages: sentence-transformers, transformers
"""
import torch
from sentence_transformers import SentenceTransformer, losses
from sentence_transformers.models import BoW, Dense

torch.manual_seed(0)
words = ["cat", "dog", "sits", "runs", "mat", "road", "fast", "slow"]
model = SentenceTransformer(modules=[BoW(vocab=words), Dense(in_features=8, out_features=6), Dense(in_features=6, out_features=4)], device="cpu")
criterion = losses.CosineSimilarityLoss(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
a = ["cat sits mat", "dog runs road", "cat runs fast"]
b = ["dog sits mat", "cat sits slow", "dog runs fast"]
labels = torch.tensor([0.9, 0.1, 0.8])
model.train()
for step in range(4):
    features = [model.tokenize(a), model.tokenize(b)]
    loss = criterion(features, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
