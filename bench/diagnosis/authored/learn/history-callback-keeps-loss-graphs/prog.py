import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Events:
    def __init__(self, *callbacks):
        self.callbacks = callbacks

    def fire(self, name, **kwargs):
        for callback in self.callbacks:
            method = getattr(callback, name, None)
            if method is not None:
                method(**kwargs)


class Recorder:
    """Keeps the raw values of every batch, to draw curves afterwards."""

    def __init__(self):
        self.batches = []
        self.curve = []

    def on_batch_end(self, logs, **_):
        self.batches.append({k: v for k, v in logs.items()})

    def on_epoch_end(self, epoch, **_):
        n = len(self.batches) // (epoch + 1)
        recent = self.batches[-n:]
        self.curve.append({k: sum(float(b[k]) for b in recent) / n for k in recent[0]})


class BetaWarmup:
    def __init__(self, steps):
        self.steps = steps

    def on_batch_end(self, trainer, **_):
        trainer.beta = min(1.0, trainer.step / self.steps)


class Printer:
    def __init__(self, recorder):
        self.recorder = recorder

    def on_epoch_end(self, epoch, **_):
        print("epoch", epoch, {k: round(v, 3) for k, v in self.recorder.curve[-1].items()})


class VAE(nn.Module):
    def __init__(self, dim=36, latent=4, hidden=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.decoder(z), mu, logvar


class Trainer:
    def __init__(self, model, events, lr=3e-3):
        self.model, self.events = model, events
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.step, self.beta = 0, 0.0

    def compute(self, x):
        recon, mu, logvar = self.model(x)
        bce = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).mean()
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return {"loss": bce + self.beta * kld, "recon": bce, "kl": kld}

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for (x,) in loader:
                logs = self.compute(x)
                self.optimizer.zero_grad()
                logs["loss"].backward()
                self.optimizer.step()
                self.step += 1
                self.events.fire("on_batch_end", trainer=self, logs=logs)
            self.events.fire("on_epoch_end", trainer=self, epoch=epoch)


def bars(n, size=6):
    images = torch.zeros(n, size, size)
    for i in range(n):
        images[i, torch.randint(size, ()), :] = 1
        images[i, :, torch.randint(size, ())] = 1
    return images.flatten(1)


torch.manual_seed(10)
recorder = Recorder()
trainer = Trainer(VAE(), Events(recorder, BetaWarmup(40), Printer(recorder)))
trainer.fit(DataLoader(TensorDataset(bars(320)), batch_size=32, shuffle=True), epochs=4)
with torch.no_grad():
    samples = torch.sigmoid(trainer.model.decoder(torch.randn(4, 4)))
print("sample mean", round(samples.mean().item(), 3), "of", len(recorder.batches), "batches")
