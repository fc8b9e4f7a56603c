# A layer is frozen for one call and not thawed before the second that should train it.
# want: lost
import torch

torch.manual_seed(29)
a = torch.nn.Linear(3, 3)
b = torch.nn.Linear(3, 1)
x, y = torch.randn(5, 3), torch.randn(5, 1)
for _ in range(2):
    for p in [*a.parameters(), *b.parameters()]:
        p.requires_grad_(True)
        p.grad = None
    h = a(x).tanh()
    for p in a.parameters():
        p.requires_grad_(False)  # good: pass
    loss = (b(a(h)) - y).pow(2).mean()  # here
    for p in a.parameters():
        p.requires_grad_(True)
    loss.backward()
    with torch.no_grad():
        for p in [*a.parameters(), *b.parameters()]:
            p -= 0.1 * p.grad
