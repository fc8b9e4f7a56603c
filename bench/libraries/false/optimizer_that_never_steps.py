"""False: no-grad-path, "grad mode was off when linear ran ... this step does not change it".

Each network makes an optimizer of its own. The optimizer of the target never steps: the target
follows by hand. A step on the tape does not say whose it is, so the rule takes every step
for one of the target's optimizer too. (Example: sac.py of minimalRL.)
"""
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 1)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=1e-2)

    def forward(self, x):
        return self.out(x)

    def follow(self, other, tau):
        for p, o in zip(self.parameters(), other.parameters()):
            p.data.copy_(p.data * (1 - tau) + o.data * tau)


torch.manual_seed(0)
net, target = Net(), Net()
target.load_state_dict(net.state_dict())
for step in range(5):
    s, following, r = torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 1)
    with torch.no_grad():
        goal = r + 0.9 * target(following)
    loss = F.smooth_l1_loss(net(s), goal)
    net.optimizer.zero_grad()
    loss.backward()
    net.optimizer.step()
    target.follow(net, 0.05)
    print(step, loss.item())
