# Weights are normalized through .data between the forward pass and backward.
# want: wrong
import torch

torch.manual_seed(15)
w = torch.nn.Parameter(torch.randn(4, 3))
v = torch.nn.Parameter(torch.randn(3, 2))
x, y = torch.randn(6, 4), torch.randn(6, 2)
opt = torch.optim.SGD([w, v], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    h = torch.relu(x @ w)
    out = h @ v  # here
    loss = (out - y).pow(2).mean()
    v.data.div_(v.data.norm())  # good: pass
    loss.backward()
    opt.step()
