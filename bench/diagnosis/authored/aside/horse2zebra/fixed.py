import itertools
import random

import torch
from torch import nn


def generator(width=8):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1), nn.InstanceNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=1), nn.InstanceNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, 3, 3, padding=1), nn.Tanh(),
    )


def patch_discriminator(width=8):
    return nn.Sequential(
        nn.Conv2d(3, width, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
        nn.Conv2d(width, 1, 4, stride=2, padding=1),
    )


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, batch):
        out = []
        for img in batch.detach():
            if len(self.images) < self.size:
                self.images.append(img)
                out.append(img)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.images[k])
                self.images[k] = img
            else:
                out.append(img)
        return torch.stack(out)


class CycleGANModel:
    def __init__(self, lambda_cycle=10.0, lr=2e-4):
        self.g_ab, self.g_ba = generator(), generator()
        self.d_a, self.d_b = patch_discriminator(), patch_discriminator()
        self.pool_a, self.pool_b = ImagePool(8), ImagePool(8)
        self.gan, self.l1 = nn.MSELoss(), nn.L1Loss()
        self.lambda_cycle = lambda_cycle
        betas = (0.5, 0.999)
        self.opt_g = torch.optim.Adam(itertools.chain(self.g_ab.parameters(), self.g_ba.parameters()), lr, betas)
        self.opt_d = torch.optim.Adam(itertools.chain(self.d_a.parameters(), self.d_b.parameters()), lr, betas)

    def set_requires_grad(self, nets, flag):
        for net in nets:
            for p in net.parameters():
                p.requires_grad = flag

    def gan_loss(self, score, real):
        return self.gan(score, torch.full_like(score, 1.0 if real else 0.0))

    def forward(self, real_a, real_b):
        self.real_a, self.real_b = real_a, real_b
        self.fake_b, self.fake_a = self.g_ab(real_a), self.g_ba(real_b)
        self.rec_a, self.rec_b = self.g_ba(self.fake_b), self.g_ab(self.fake_a)

    def backward_adversarial(self):
        self.loss_gan = self.gan_loss(self.d_b(self.fake_b), True) + self.gan_loss(self.d_a(self.fake_a), True)
        self.loss_gan.backward(retain_graph=True)

    def backward_cycle(self):
        self.loss_cycle = self.l1(self.rec_a, self.real_a) + self.l1(self.rec_b, self.real_b)
        (self.lambda_cycle * self.loss_cycle).backward()

    def backward_d(self, net, real, fake):
        loss = 0.5 * (self.gan_loss(net(real), True) + self.gan_loss(net(fake), False))
        loss.backward()
        return loss.item()

    def optimize_parameters(self, real_a, real_b):
        self.forward(real_a, real_b)
        self.set_requires_grad([self.d_a, self.d_b], False)
        self.opt_g.zero_grad()
        self.backward_adversarial()
        self.backward_cycle()
        self.opt_g.step()
        self.set_requires_grad([self.d_a, self.d_b], True)
        self.opt_d.zero_grad()
        d_a = self.backward_d(self.d_a, real_a, self.pool_a.query(self.fake_a))
        d_b = self.backward_d(self.d_b, real_b, self.pool_b.query(self.fake_b))
        self.opt_d.step()
        return {"gan": self.loss_gan.item(), "cycle": self.loss_cycle.item(), "d": d_a + d_b}


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    horses, zebras = torch.rand(24, 3, 16, 16) * 2 - 1, torch.rand(24, 3, 16, 16).round() * 2 - 1
    model = CycleGANModel()
    for epoch in range(2):
        for i in range(0, 24, 8):
            logs = model.optimize_parameters(horses[i:i + 8], zebras[i:i + 8])
        print(epoch, {k: round(v, 3) for k, v in logs.items()})
