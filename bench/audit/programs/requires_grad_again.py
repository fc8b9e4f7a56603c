# detach() and requires_grad_() in the middle of a model: the result looks trainable.
# want: lost
import torch

torch.manual_seed(28)
first, second = torch.nn.Linear(3, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
x, y = torch.randn(6, 3), torch.randn(6, 1)
for _ in range(2):
    opt.zero_grad()
    h = torch.sigmoid(first(x))
    z = h.data.clone().requires_grad_()  # good: z = h.clone()
    loss = (second(z) - y).pow(2).mean() + 0.01 * h.mean()
    loss.backward()
    opt.step()
