"""zuko: a neural spline flow fitted by maximum likelihood, then by reverse KL.

packages: zuko
"""
import torch
import zuko

torch.manual_seed(0)
x = torch.randn(32, 2) * 0.5 + torch.tensor([1.0, -1.0])
flow = zuko.flows.NSF(2, transforms=2, bins=4, hidden_features=(16,))
optimizer = torch.optim.Adam(flow.parameters(), lr=3e-3)
for step in range(4):
    loss = -flow().log_prob(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
goal = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
flow = zuko.flows.MAF(2, transforms=2, hidden_features=(16,))
optimizer = torch.optim.Adam(flow.parameters(), lr=3e-3)
for step in range(3):
    z, log = flow().rsample_and_log_prob((16,))
    loss = (log - goal.log_prob(z)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
