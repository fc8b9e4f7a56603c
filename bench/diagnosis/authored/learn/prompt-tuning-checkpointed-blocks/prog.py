import warnings

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)

    def forward(self, x):
        h = self.norm(x)
        mean = h.cumsum(dim=1) / torch.arange(1, h.shape[1] + 1).view(1, -1, 1)
        return x + torch.sigmoid(self.gate(h)) * torch.tanh(self.mix(mean))


class LanguageModel(nn.Module):
    def __init__(self, vocab=24, width=16, depth=3, checkpointing=True):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, vocab)
        self.checkpointing = checkpointing

    def freeze_embeddings(self):
        self.embed.weight.requires_grad_(False)

    def forward(self, ids):
        h = self.embed(ids)
        for block in self.blocks:
            if self.checkpointing and self.training:
                h = checkpoint(block, h, use_reentrant=True)
            else:
                h = block(h)
        return self.head(h)


def counting(n, vocab=24, length=8):
    start = torch.randint(0, vocab, (n, 1))
    stride = torch.randint(1, 3, (n, 1))
    return TensorDataset((start + stride * torch.arange(length + 1)) % vocab)


class Trainer:
    def __init__(self, model, lr=5e-3):
        self.model = model
        trainable = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(trainable, lr=lr)

    def fit(self, loader, epochs):
        self.model.train()
        for epoch in range(epochs):
            for (ids,) in loader:
                logits = self.model(ids[:, :-1])
                loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("epoch", epoch, "loss", round(loss.item(), 4))

    def perplexity(self, loader):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for (ids,) in loader:
                logits = self.model(ids[:, :-1])
                total += nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).item()
        return torch.tensor(total / len(loader)).exp().item()


torch.manual_seed(19)
model = LanguageModel()
model.freeze_embeddings()
trainer = Trainer(model)
trainer.fit(DataLoader(counting(128), batch_size=16, shuffle=True), epochs=3)
print("perplexity", round(trainer.perplexity(DataLoader(counting(32), batch_size=16)), 2))
