import torch
import torch.nn as nn

torch.manual_seed(63)


class Energy(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.second(torch.nn.functional.silu(self.first(x))).squeeze(-1)


def langevin(energy, x, steps, size):
    """Samples from the model; only the samples leave, not the path to them."""
    for _ in range(steps):
        x = x.detach().requires_grad_()
        (grad,) = torch.autograd.grad(energy(x).sum(), x)
        x = x - 0.5 * size * grad + size**0.5 * torch.randn_like(x)
    return x.detach()


class SampleBuffer:
    def __init__(self, size, inputs):
        self.samples = torch.randn(size, inputs)

    def draw(self, n):
        self.rows = torch.randperm(len(self.samples))[:n]
        return self.samples[self.rows]

    def put(self, samples):
        self.samples[self.rows] = samples


data = torch.cat([torch.randn(30, 2) * 0.3 + 1, torch.randn(30, 2) * 0.3 - 1])
energy = Energy(2, 16)
buffer = SampleBuffer(40, 2)
optimizer = torch.optim.Adam(energy.parameters(), lr=5e-3)
for step in range(6):
    real = data[torch.randperm(60)[:16]]
    fake = langevin(energy, buffer.draw(16), steps=4, size=0.05)
    buffer.put(fake)
    positive, negative = energy(real), energy(fake)
    loss = positive.mean() - negative.mean()
    loss = loss + 0.05 * (positive.pow(2) + negative.pow(2)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
