# Terms of a loss are collected as numbers for the log and added up from there.
# want: lost
import torch

torch.manual_seed(21)
net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(6, 3)
for _ in range(2):
    out = net(x)
    logs = {}
    rec = (out - x).pow(2).mean()
    sparsity = out.abs().mean()
    logs["rec"] = rec
    logs["sparsity"] = sparsity.item()  # good: logs["sparsity"] = sparsity
    loss = logs["rec"] + 0.1 * logs["sparsity"]
    opt.zero_grad()
    loss.backward()
    opt.step()
