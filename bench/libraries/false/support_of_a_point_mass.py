"""False: nondifferentiable-op, "no gradient reaches ...: eq has no derivative".

The density of a point mass has the term log(x == v), which is 0 or minus infinity: it checks
the support and has nothing to train. The rule takes each term of a loss that is computed from
trained tensors for one that should pass a gradient on. (Example: Delta.log_prob of Pyro, in the
guide AutoNormal.)
"""
import torch

torch.manual_seed(0)
loc = torch.zeros(2, requires_grad=True)
optimizer = torch.optim.Adam([loc], lr=0.1)
for step in range(3):
    value = loc + torch.randn(2)
    support = (value == value.clone()).to(value.dtype).log()
    density = -(value - 1.0).pow(2)
    loss = -(support + density).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
