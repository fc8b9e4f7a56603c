import random

import torch
from torch import nn


class ImagePool:
    def __init__(self, size=12):
        self.size, self.images = size, []

    def query(self, images):
        out = []
        for image in images:
            image = image.unsqueeze(0)
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            elif random.random() > 0.5:
                i = random.randrange(self.size)
                out.append(self.images[i])
                self.images[i] = image
            else:
                out.append(image)
        return torch.cat(out)


def generator():
    return nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))


def discriminator():
    return nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 3, padding=1))


class Summer2Winter:
    def __init__(self, cycle=5.0):
        self.g_ab, self.g_ba = generator(), generator()
        self.d_a, self.d_b = discriminator(), discriminator()
        self.pool_a, self.pool_b, self.cycle = ImagePool(), ImagePool(), cycle
        g = list(self.g_ab.parameters()) + list(self.g_ba.parameters())
        d = list(self.d_a.parameters()) + list(self.d_b.parameters())
        self.opt_g = torch.optim.Adam(g, lr=2e-3, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(d, lr=2e-3, betas=(0.5, 0.999))

    @staticmethod
    def lsgan(score, real):
        return (score - float(real)).pow(2).mean()

    def freeze_d(self, frozen):
        for net in (self.d_a, self.d_b):
            for p in net.parameters():
                p.requires_grad_(not frozen)

    def optimise(self, a, b):
        fake_b, fake_a = self.g_ab(a), self.g_ba(b)
        self.freeze_d(True)
        loss_g = self.lsgan(self.d_b(fake_b), True) + self.lsgan(self.d_a(fake_a), True)
        loss_g = loss_g + self.cycle * ((self.g_ba(fake_b) - a).abs().mean() + (self.g_ab(fake_a) - b).abs().mean())
        self.opt_g.zero_grad()
        loss_g.backward()
        self.opt_g.step()

        self.freeze_d(False)
        old_a, old_b = self.pool_a.query(fake_a), self.pool_b.query(fake_b)
        loss_d = self.lsgan(self.d_a(a), True) + self.lsgan(self.d_a(old_a), False)
        loss_d = loss_d + self.lsgan(self.d_b(b), True) + self.lsgan(self.d_b(old_b), False)
        self.opt_d.zero_grad()
        (0.5 * loss_d).backward()
        self.opt_d.step()
        return loss_g.item(), loss_d.item()


random.seed(3)
torch.manual_seed(3)
model = Summer2Winter()
for it in range(8):
    a = torch.rand(4, 1, 8, 8)
    b = 1 - torch.rand(4, 1, 8, 8) * 0.5
    g, d = model.optimise(a, b)
    if it % 4 == 3:
        print(f"iter {it} g {g:.4f} d {d:.4f}")
