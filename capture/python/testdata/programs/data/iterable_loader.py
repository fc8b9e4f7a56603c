import warnings

import torch
from torch.utils.data import DataLoader, IterableDataset


class Range(IterableDataset):
    def __init__(self, start, end, claim=None):
        self.start, self.end, self.claim = start, end, claim

    def __iter__(self):
        return iter(range(self.start, self.end))

    def __len__(self):
        return self.claim

    def __repr__(self):
        return "Range"


print(list(DataLoader(Range(3, 8))))
print([b.tolist() for b in DataLoader(Range(0, 7), batch_size=3)])
print([b.tolist() for b in DataLoader(Range(0, 7), batch_size=3, drop_last=True)])
print(list(DataLoader(Range(0, 3), batch_size=None)))
loader = DataLoader(Range(0, 5, claim=3), batch_size=2)
print(len(loader))
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    print(len(list(loader)))
    loader = DataLoader(Range(0, 5, claim=3))
    len(loader)
    print(len(list(loader)))
    print([str(x.message) for x in w])
