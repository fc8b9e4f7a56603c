"""A particle is copied by wrapping its mass in a new Parameter, which is a new leaf: the gradient stops there."""

import torch
from torch import nn


class Marble(nn.Module):
    def __init__(self, mass):
        super().__init__()
        self.mass = nn.Parameter(mass)  # a new leaf, whatever the history of mass is

    def copy(self):
        return Marble(self.mass.clone())


class Emitter(nn.Module):
    def __init__(self, prototype, stored):
        super().__init__()
        self.prototype = prototype
        self.stored = nn.Parameter(stored)

    def emit(self):
        share = self.stored / self.stored.item()  # 1, but it depends on what is stored
        return Marble(share * self.prototype.mass)


emitter = Emitter(Marble(torch.tensor(2.0)), torch.tensor(10.0))
marble = emitter.emit()
copy = marble.copy()
loss = (copy.mass - 5.0) ** 2
loss.backward()

print("copy:     ", copy.mass.grad)
print("marble:   ", marble.mass.grad)
print("prototype:", emitter.prototype.mass.grad)
print("stored:   ", emitter.stored.grad)
