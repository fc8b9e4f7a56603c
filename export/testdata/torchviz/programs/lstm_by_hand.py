import torch

torch.manual_seed(0)
wx = torch.randn(4, 12, requires_grad=True)
wh = torch.randn(3, 12, requires_grad=True)
b = torch.zeros(12, requires_grad=True)
h = c = torch.zeros(2, 3)
for step in range(2):
    i, f, g, o = (torch.ones(2, 4) @ wx + h @ wh + b).chunk(4, 1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
root = (h, c)
params = {"wx": wx, "wh": wh, "b": b}
