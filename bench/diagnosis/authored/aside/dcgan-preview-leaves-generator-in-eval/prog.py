import torch
from torch import nn, optim


def weights_init(m):
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


class Generator(nn.Module):
    def __init__(self, nz=16, ngf=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
        )

    def forward(self, img):
        return self.main(img).view(-1)


def blob_images(n):
    grid = torch.linspace(-1, 1, 16)
    centre = torch.rand(n, 2) - 0.5
    dx = (grid[None, :] - centre[:, :1]) ** 2
    dy = (grid[None, :] - centre[:, 1:]) ** 2
    return (2 * torch.exp(-6 * (dx[:, None, :] + dy[:, :, None])) - 1).unsqueeze(1)


class Logger:
    def __init__(self, fixed_noise, every=5):
        self.fixed_noise, self.every = fixed_noise, every
        self.grids, self.rows = [], []

    def save_preview(self, netG, step):
        netG.eval()
        with torch.no_grad():
            grid = netG(self.fixed_noise).clamp(-1, 1).mul(0.5).add(0.5)
        self.grids.append((step, grid))

    def log(self, step, lossD, lossG):
        self.rows.append((step, lossD.item(), lossG.item()))
        if step % self.every == 0:
            print("[%d] D %.3f G %.3f" % self.rows[-1])


def train(netG, netD, steps=15, batch=16, nz=16):
    criterion = nn.BCEWithLogitsLoss()
    optD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    logger = Logger(torch.randn(8, nz, 1, 1))
    netG.train()
    netD.train()
    for step in range(steps):
        real = blob_images(batch)
        fake = netG(torch.randn(batch, nz, 1, 1))
        optD.zero_grad()
        real_out, fake_out = netD(real), netD(fake.detach())
        lossD = criterion(real_out, torch.full_like(real_out, 0.9)) + criterion(fake_out, torch.zeros_like(fake_out))
        lossD.backward()
        optD.step()

        optG.zero_grad()
        out = netD(fake)
        lossG = criterion(out, torch.ones_like(out))
        lossG.backward()
        optG.step()
        logger.log(step, lossD, lossG)
        if step % logger.every == 0:
            logger.save_preview(netG, step)
    return logger


torch.manual_seed(0)
G, D = Generator(), Discriminator()
G.apply(weights_init)
D.apply(weights_init)
logger = train(G, D)
