import torch
from torch import nn

torch.manual_seed(8)

LATENT = 3


def real_batch(n):
    angle = 6.2832 * torch.rand(n, 1)
    return torch.cat([torch.cos(angle), torch.sin(angle)], dim=1)


def mlp(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, outputs))


generator = mlp(LATENT, 16, 2)
discriminator = mlp(2, 16, 1)
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.999))
criterion = nn.BCEWithLogitsLoss()


def discriminator_step(real, fake):
    opt_d.zero_grad()
    real_logits = discriminator(real)
    fake_logits = discriminator(fake.detach())
    loss = criterion(real_logits, torch.ones_like(real_logits))
    loss = loss + criterion(fake_logits, torch.zeros_like(fake_logits))
    loss.backward()
    opt_d.step()
    return loss.item()


def generator_step(fake):
    opt_g.zero_grad()
    logits = discriminator(fake)
    loss = criterion(logits, torch.ones_like(logits))
    loss.backward()
    opt_g.step()
    return loss.item()


log = []
for iteration in range(8):
    real = real_batch(16)
    fake = generator(torch.randn(16, LATENT))
    d_loss = discriminator_step(real, fake)
    g_loss = generator_step(fake)
    log.append((d_loss, g_loss))
    if iteration % 4 == 3:
        print(f"{iteration}: D {d_loss:.3f} G {g_loss:.3f}")

generator.eval()
with torch.no_grad():
    radius = generator(torch.randn(32, LATENT)).norm(dim=1).mean()
print("mean radius", radius.item(), "after", len(log), "iterations")
