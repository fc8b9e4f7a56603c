# A hook clips in place for a look at the size of the gradient: pytorch/pytorch#2843 asks what hooks change.
# want: hook
import torch

torch.manual_seed(41)
w = torch.randn(4, requires_grad=True)
x = torch.randn(6, 4)
norms = []


def log_norm(g):
    norms.append(g.clamp_(-0.01, 0.01).norm())  # good: norms.append(g.clamp(-0.01, 0.01).norm())


for _ in range(2):
    w.grad = None
    h = torch.sin(x * w)
    h.register_hook(log_norm)  # here
    loss = h.pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
