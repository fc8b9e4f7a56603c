import torch
from torch.utils.data import DistributedSampler

for rank in range(3):
    s = DistributedSampler(range(10), num_replicas=3, rank=rank, seed=1)
    print(len(s), list(s))
    s.set_epoch(1)
    print(list(s))
print(list(DistributedSampler(range(10), num_replicas=3, rank=1, shuffle=False)))
print(list(DistributedSampler(range(10), num_replicas=3, rank=1, shuffle=False, drop_last=True)))
print(list(DistributedSampler(range(2), num_replicas=5, rank=4, shuffle=False)))
try:
    DistributedSampler(range(4), num_replicas=2, rank=2)
except ValueError as e:
    print(e)
