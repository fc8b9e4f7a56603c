# Losses of the samples are gathered in a list and wrapped again.
# want: lost
import torch

torch.manual_seed(23)
model = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(4, 3), torch.randn(4, 1)
for _ in range(2):
    opt.zero_grad()
    losses = [(model(a) - b).pow(2).sum() for a, b in zip(x, y)]
    worst = torch.tensor([float(v) for v in losses]).max()  # good: worst = torch.stack(losses).max()
    loss = sum(losses) / len(losses) + worst
    loss.backward()
    opt.step()
