# A hook that was made for mixed precision still divides the gradient.
# want: hook
import torch

torch.manual_seed(40)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for p in net.parameters():
    p.register_hook(lambda g: g / 128)  # good: pass
x, y = torch.randn(7, 3), torch.randn(7, 1)
for _ in range(2):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
