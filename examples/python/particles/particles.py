"""Marbles fall past attracting nodes; their starting velocities and the nodes' strengths are trained.

The initial values are the parameters; pos, vel and acc are working values, made anew
by reset(), so that no epoch depends on the graph of the one before.
"""

import torch
from torch import nn

torch.manual_seed(0)
DT, STEPS = 0.2, 6


class Particle(nn.Module):
    def __init__(self, pos, vel):
        super().__init__()
        self.init_pos = nn.Parameter(torch.tensor(pos))
        self.init_vel = nn.Parameter(torch.tensor(vel))
        self.reset()

    def reset(self):
        self.pos = self.init_pos.clone()
        self.vel = self.init_vel.clone()

    def move(self, acc):
        self.vel = self.vel + acc * DT
        self.pos = self.pos + self.vel * DT


class Node(nn.Module):
    def __init__(self, pos, strength):
        super().__init__()
        self.register_buffer("pos", torch.tensor(pos))
        self.strength = nn.Parameter(torch.tensor(strength))

    def pull(self, pos):
        way = self.pos - pos
        return self.strength * way / (way.pow(2).sum() + 0.1) ** 1.5


class World(nn.Module):
    def __init__(self):
        super().__init__()
        self.marbles = nn.ModuleList([Particle([0.0, 0.0], [1.0, 0.0]), Particle([0.0, 1.0], [1.0, -0.5])])
        self.nodes = nn.ModuleList([Node([0.5, -0.5], 0.3), Node([1.0, 1.0], 0.3)])

    def forward(self):
        for marble in self.marbles:
            marble.reset()
        for _ in range(STEPS):
            for marble in self.marbles:
                marble.move(sum(node.pull(marble.pos) for node in self.nodes))
        return torch.stack([marble.pos for marble in self.marbles])


world = World()
target = torch.tensor([[1.0, 0.5], [1.0, -0.5]])
optimizer = torch.optim.Adam(world.parameters(), lr=0.05)
for epoch in range(10):
    optimizer.zero_grad(set_to_none=True)
    miss = (world() - target).pow(2).sum(dim=1)
    loss = miss.mean()
    loss.backward()
    optimizer.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch}: loss = {loss.item():.4f}, misses = {[round(m, 3) for m in miss.tolist()]}")
print("strengths:", [round(node.strength.item(), 3) for node in world.nodes])
