import torch

p = torch.ones(2)
p.add_(-0.5, torch.ones(2))
p.addcmul_(2, p, p)
print(p)
