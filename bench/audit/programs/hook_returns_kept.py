# A backward hook of a module for visualization returns what it kept instead of nothing.
# want: hook
import torch

torch.manual_seed(42)
conv = torch.nn.Linear(4, 4)
head = torch.nn.Linear(4, 2)
kept = []


def keep(grad):
    kept.append(grad.relu())
    return kept[-1]  # good: return None


opt = torch.optim.SGD([*conv.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(5, 4), torch.tensor([0, 1, 1, 0, 1])
for _ in range(2):
    opt.zero_grad()
    feats = torch.tanh(conv(x))
    feats.register_hook(keep)  # here
    loss = torch.nn.functional.cross_entropy(head(feats), y)
    loss.backward()
    opt.step()
