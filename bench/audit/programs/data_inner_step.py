# The inner step of meta-learning changes the fast weights through .data.
# want: lost
import torch

torch.manual_seed(32)
meta = torch.randn(3, requires_grad=True)
rate = torch.tensor(0.1, requires_grad=True)
x, y = torch.randn(6, 3), torch.randn(6)
for _ in range(2):
    meta.grad = rate.grad = None
    fast = meta.clone()
    direction = x.t() @ torch.sigmoid(x @ meta) / 6
    fast.data -= rate * direction  # good: fast = fast - rate * direction
    loss = (x @ fast - y).pow(2).mean() + 0.1 * rate**2
    loss.backward()
    with torch.no_grad():
        meta -= 0.1 * meta.grad
