import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Emission(nn.Module):
    def __init__(self, symbols=12, width=16):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, symbols)

    def forward(self, ids):
        h, _ = self.rnn(self.embed(ids))
        return torch.softmax(self.out(h), dim=-1)


class SequenceLikelihood(nn.Module):
    def __init__(self, emission):
        super().__init__()
        self.emission = emission

    def forward(self, ids):
        probability = self.emission(ids[:, :-1])
        chosen = probability.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
        return -torch.log(chosen + 1e-8).sum(dim=1)


def proteins(n, length=60, symbols=12):
    start = torch.randint(0, symbols, (n, 1))
    walk = torch.randint(0, 3, (n, length)).cumsum(dim=1)
    return TensorDataset((start + walk) % symbols)


class Trainer:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for (ids,) in loader:
            loss = self.model(ids).mean()
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def next_symbol(self, data):
        self.model.eval()
        ids = data.tensors[0]
        guess = self.model.emission(ids[:, :-1]).argmax(dim=-1)
        return (guess == ids[:, 1:]).float().mean().item()


def main():
    torch.manual_seed(68)
    trainer = Trainer(SequenceLikelihood(Emission()))
    train, test = proteins(64), proteins(16)
    loader = DataLoader(train, batch_size=16, shuffle=True)
    for epoch in range(3):
        loss = trainer.epoch(loader)
        print(f"epoch {epoch} loss {loss:.6f} next {trainer.next_symbol(test):.3f}")


if __name__ == "__main__":
    main()
