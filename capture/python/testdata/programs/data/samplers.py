import torch
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler

torch.manual_seed(0)
print(list(SequentialSampler([5, 6, 7])), len(SequentialSampler([5, 6, 7])))
print(list(SubsetRandomSampler([3, 5, 7, 9])), len(SubsetRandomSampler([1, 2])))
print(list(WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 5)))
print(list(WeightedRandomSampler([0.9, 0.4, 0.05, 0.2, 0.3, 0.1], 5, replacement=False)))
print(list(BatchSampler(SequentialSampler(range(10)), batch_size=3, drop_last=False)))
b = BatchSampler(SequentialSampler(range(10)), batch_size=3, drop_last=True)
print(list(b), len(b))
bad = [
    lambda: RandomSampler(range(3), num_samples=0),
    lambda: RandomSampler(range(3), replacement=1),
    lambda: RandomSampler([]),
    lambda: BatchSampler(range(3), 0, False),
    lambda: BatchSampler(range(3), True, False),
    lambda: BatchSampler(range(3), 2, None),
    lambda: WeightedRandomSampler([1.0], -1),
    lambda: WeightedRandomSampler([1.0], 1, 0),
    lambda: WeightedRandomSampler([[1.0]], 1),
]
for f in bad:
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
