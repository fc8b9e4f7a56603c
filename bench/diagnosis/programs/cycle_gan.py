"""Two generators and two critics that learn to translate between two clouds of points."""

import itertools

import torch
import torch.nn as nn

torch.manual_seed(124)


class Generator(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.inner = nn.Linear(dim, width)
        self.outer = nn.Linear(width, dim)

    def forward(self, x):
        h = torch.relu(self.inner(x))
        return x + self.outer(h)


def make_critic():
    return nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))


class ImagePool:
    """Old fakes, so that the critics do not forget them."""

    def __init__(self, size):
        self.size, self.kept = size, []

    def query(self, fakes):
        fakes = fakes.detach()
        if len(self.kept) < self.size:
            self.kept.append(fakes)
            return fakes
        i = int(torch.randint(0, self.size, (1,)))
        old, self.kept[i] = self.kept[i], fakes
        return old


def adversarial(scores, real):
    goal = torch.ones_like(scores) if real else torch.zeros_like(scores)
    return nn.functional.mse_loss(scores, goal)


def set_requires_grad(modules, flag):
    for module in modules:
        for parameter in module.parameters():
            parameter.requires_grad_(flag)


def critic_loss(critic, real, fake):
    return 0.5 * (adversarial(critic(real), True) + adversarial(critic(fake), False))


def sample_a(n):
    return torch.randn(n, 2) * 0.3 + torch.tensor([1.0, 0.0])


def sample_b(n):
    return torch.randn(n, 2) * torch.tensor([0.2, 0.5]) - torch.tensor([0.0, 1.0])


a_to_b, b_to_a = Generator(2, 16), Generator(2, 16)
critic_a, critic_b = make_critic(), make_critic()
generator_optimizer = torch.optim.Adam(itertools.chain(a_to_b.parameters(), b_to_a.parameters()), lr=5e-3, betas=(0.5, 0.999))
critic_optimizer = torch.optim.Adam([*critic_a.parameters(), *critic_b.parameters()], lr=5e-3, betas=(0.5, 0.999))
pool_a, pool_b = ImagePool(4), ImagePool(4)
for step in range(12):
    real_a, real_b = sample_a(16), sample_b(16)

    set_requires_grad([critic_a, critic_b], False)
    fake_b, fake_a = a_to_b(real_a), b_to_a(real_b)
    fooling = adversarial(critic_b(fake_b), True) + adversarial(critic_a(fake_a), True)
    cycle = (b_to_a(fake_b) - real_a).abs().mean() + (a_to_b(fake_a) - real_b).abs().mean()
    identity = (a_to_b(real_b) - real_b).abs().mean() + (b_to_a(real_a) - real_a).abs().mean()
    generator_loss = fooling + 5.0 * cycle + 1.0 * identity
    generator_optimizer.zero_grad()
    generator_loss.backward()
    generator_optimizer.step()

    set_requires_grad([critic_a, critic_b], True)
    total_loss = critic_loss(critic_a, real_a, pool_a.query(fake_a)) + critic_loss(critic_b, real_b, pool_b.query(fake_b))
    critic_optimizer.zero_grad()
    total_loss.backward()
    critic_optimizer.step()
    if step % 4 == 3:
        print("step", step, "generators %.4f critics %.4f cycle %.4f" % (generator_loss.item(), total_loss.item(), cycle.item()))
