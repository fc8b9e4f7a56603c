# A penalty computed under no_grad with the metrics, then added to the loss.
# want: lost
import torch

torch.manual_seed(20)
model = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.randn(8, 2)
for _ in range(2):
    opt.zero_grad()
    mse = (model(x) - y).pow(2).mean()
    with torch.no_grad():  # good: if True:
        penalty = sum(p.pow(2).sum() for p in model.parameters())  # here
    loss = mse + 0.05 * penalty
    loss.backward()
    opt.step()
