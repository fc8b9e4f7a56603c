# Features are kept for a second head through a copy of their memory.
# want: lost
import copy

import torch

torch.manual_seed(33)
body = torch.nn.Linear(4, 4)
head = torch.nn.Linear(4, 2)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(6, 4), torch.tensor([0, 1, 0, 1, 1, 0])
for _ in range(2):
    opt.zero_grad()
    feats = torch.relu(body(x))
    kept = copy.deepcopy(feats.data)  # good: kept = feats.clone()
    loss = torch.nn.functional.cross_entropy(head(feats), y) + kept.pow(2).mean()
    loss.backward()
    opt.step()
