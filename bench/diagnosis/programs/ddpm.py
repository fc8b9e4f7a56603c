"""A small diffusion model in two dimensions."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(52)
STEPS = 10


class Denoiser(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.time = nn.Embedding(STEPS, hidden)
        self.input = nn.Linear(2, hidden)
        self.middle = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, 2)

    def forward(self, x, t):
        h = F.silu(self.input(x) + self.time(t))
        h = F.silu(self.middle(h))
        return self.output(h)


class Diffusion:
    def __init__(self):
        self.betas = torch.linspace(1e-2, 0.3, STEPS)
        self.alphas = 1 - self.betas
        self.kept = self.alphas.cumprod(dim=0)

    def noisy(self, x, t, noise):
        kept = self.kept[t].unsqueeze(1)
        return kept.sqrt() * x + (1 - kept).sqrt() * noise

    def loss(self, model, x):
        t = torch.randint(STEPS, (len(x),))
        noise = torch.randn_like(x)
        return F.mse_loss(model(self.noisy(x, t, noise), t), noise)

    @torch.no_grad()
    def sample(self, model, n):
        x = torch.randn(n, 2)
        for step in reversed(range(STEPS)):
            predicted = model(x, torch.full((n,), step))
            x = x - self.betas[step] / (1 - self.kept[step]).sqrt() * predicted
            x = x / self.alphas[step].sqrt()
            if step > 0:
                x = x + self.betas[step].sqrt() * torch.randn_like(x)
        return x


angle = 6.2832 * torch.rand(60)
data = torch.stack([angle.cos(), angle.sin()], dim=1)
model = Denoiser(16)
diffusion = Diffusion()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
for epoch in range(3):
    losses = []
    for batch in data.split(20):
        optimizer.zero_grad()
        loss = diffusion.loss(model, batch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(epoch, sum(losses) / len(losses))
print("radius", diffusion.sample(model, 20).norm(dim=1).mean().item())
