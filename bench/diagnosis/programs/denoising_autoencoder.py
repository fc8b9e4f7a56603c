import torch
from torch import nn

torch.manual_seed(6)


class Autoencoder(nn.Module):
    def __init__(self, inputs, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, 16), nn.ReLU(), nn.Linear(16, code))
        self.decoder = nn.Sequential(nn.Linear(code, 16), nn.ReLU(), nn.Linear(16, inputs), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, lr, noise):
        self.model = model
        self.noise = noise
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.losses = []

    def corrupt(self, x):
        return (x + self.noise * torch.randn_like(x)).clamp(0.0, 1.0)

    def step(self, x):
        self.optimizer.zero_grad()
        reconstruction = self.model(self.corrupt(x))
        loss = nn.functional.binary_cross_entropy(reconstruction, x)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.model.train()
            for batch in batches:
                self.step(batch)

    def score(self, x):
        self.model.eval()
        with torch.no_grad():
            error = (self.model(x) - x).abs().mean()
        self.model.train()
        return error.item()


def bars(n, size):
    x = torch.zeros(n, size, size)
    rows = torch.randint(size, (n,))
    x[torch.arange(n), rows] = 1.0
    return x.reshape(n, -1)


data = bars(40, 5)
trainer = Trainer(Autoencoder(25, 4), lr=5e-3, noise=0.1)
trainer.fit(data.split(8), epochs=3)
print("loss", trainer.losses[0], "->", trainer.losses[-1])
print("error", trainer.score(data))
