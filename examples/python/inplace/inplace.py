"""An integrator moves a particle in place, although the step before has saved its position."""

import torch


class Integrator:
    def __init__(self, dt):
        self.dt = dt

    def advance(self, pos, vel):
        pos += vel * self.dt  # changes the caller's tensor; pos = pos + ... would make a new one
        return pos


stiffness = torch.tensor([0.5, 2.0], requires_grad=True)
pos = torch.tensor([1.0, -1.0])
vel = torch.tensor([0.0, 1.0])
integrator = Integrator(dt=0.25)

loss = torch.tensor(0.0)
for t in range(2):
    pos = integrator.advance(pos, vel)
    force = stiffness * pos
    loss = loss + force.pow(2).sum()
    print(f"t={t} pos={pos.tolist()} loss={loss.item():.4f}")

loss.backward()
