# A residual connection reads .data to save memory.
# want: lost
import torch


class Block(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = torch.nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.fc(x)) + x.data  # good: return torch.relu(self.fc(x)) + x


torch.manual_seed(26)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), Block(4), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(6, 3), torch.randn(6, 1)
for _ in range(2):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
