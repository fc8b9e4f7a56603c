# The running mean of a batch norm by hand: the batch statistics come from .data.
# want: lost
import torch

torch.manual_seed(34)
fc = torch.nn.Linear(3, 4)
gamma = torch.ones(4, requires_grad=True)
opt = torch.optim.SGD([*fc.parameters(), gamma], lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 4)
running = torch.zeros(4)
for _ in range(2):
    opt.zero_grad()
    h = fc(x)
    mean = h.data.mean(0)  # good: mean = h.mean(0)
    running = 0.9 * running + 0.1 * mean.detach()
    loss = ((h - mean) * gamma - y).pow(2).mean()
    loss.backward()
    opt.step()
