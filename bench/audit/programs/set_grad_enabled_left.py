# Gradients are switched off for a metric and on again one line too late.
# want: lost
import torch

torch.manual_seed(37)
net = torch.nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 4), torch.tensor([0, 1, 2, 2, 1, 0])
for _ in range(2):
    opt.zero_grad()
    logits = net(x)
    ce = torch.nn.functional.cross_entropy(logits, y)
    torch.set_grad_enabled(False)  # good: accuracy = (logits.detach().argmax(1) == y).float().mean()
    accuracy = (logits.argmax(1) == y).float().mean()
    entropy = -(logits.softmax(1) * logits.log_softmax(1)).sum(1).mean()  # here
    torch.set_grad_enabled(True)
    loss = ce - 0.1 * entropy  # here
    loss.backward()
    opt.step()
