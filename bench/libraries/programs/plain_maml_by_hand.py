"""MAML by hand: fast weights with create_graph, one outer step for several tasks.

packages: torch
"""
import torch
import torch.nn.functional as F

torch.manual_seed(0)
weights = [torch.randn(16, 1).mul_(0.5), torch.zeros(16), torch.randn(1, 16).mul_(0.2), torch.zeros(1)]
for w in weights:
    w.requires_grad_()
optimizer = torch.optim.Adam(weights, lr=1e-2)


def net(x, w):
    return F.linear(torch.tanh(F.linear(x, w[0], w[1])), w[2], w[3])


for step in range(4):
    optimizer.zero_grad()
    total = 0.0
    for task in range(3):
        phase = torch.rand(1) * 3.14
        x, qx = torch.rand(8, 1) * 5, torch.rand(8, 1) * 5
        fast = weights
        for _ in range(2):
            inner = F.mse_loss(net(x, fast), torch.sin(x + phase))
            slopes = torch.autograd.grad(inner, fast, create_graph=True)
            fast = [w - 0.05 * g for w, g in zip(fast, slopes)]
        outer = F.mse_loss(net(qx, fast), torch.sin(qx + phase)) / 3
        outer.backward()
        total += outer.item()
    optimizer.step()
    print(step, round(total, 4))
