import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def init_weights(module):
    if isinstance(module, nn.Linear):
        module.weight = nn.Parameter(0.08 * torch.randn(module.weight.shape))
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.08)


class GatedLM(nn.Module):
    def __init__(self, vocab=26, width=20, kernel=4):
        super().__init__()
        self.encoder = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, 2 * width, kernel)
        self.proj = nn.Linear(width, width)
        self.decoder = nn.Linear(width, vocab)
        self.decoder.weight = self.encoder.weight
        self.pad = kernel - 1
        self.apply(init_weights)

    def forward(self, ids):
        h = self.encoder(ids).transpose(1, 2)
        h = nn.functional.glu(self.conv(nn.functional.pad(h, (self.pad, 0))), dim=1)
        return self.decoder(torch.tanh(self.proj(h.transpose(1, 2))))


def text(n, vocab=26, length=12):
    start = torch.randint(0, vocab, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    return TensorDataset((start + stride * torch.arange(length + 1)) % vocab)


class LMTrainer:
    def __init__(self, model, lr=0.01):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def loss(self, ids):
        logits = self.model(ids[:, :-1])
        return self.criterion(logits.reshape(-1, logits.shape[-1]), ids[:, 1:].reshape(-1))

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for (ids,) in loader:
                loss = self.loss(ids)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                self.optimizer.step()
            print(f"epoch {epoch} loss {loss.item():.4f}")

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        return sum(self.loss(ids).item() for (ids,) in loader) / len(loader)


if __name__ == "__main__":
    torch.manual_seed(65)
    trainer = LMTrainer(GatedLM())
    trainer.fit(DataLoader(text(128), batch_size=16, shuffle=True), epochs=3)
    print("valid", round(trainer.evaluate(DataLoader(text(32), batch_size=16)), 4))
    print("parameters", sum(p.numel() for p in trainer.model.parameters()))
