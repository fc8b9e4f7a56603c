import torch
from torch.utils.data import ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, TensorDataset


class Squares(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * i


class Count(IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.n


both = Squares(3) + Squares(4)
print(type(both).__name__, len(both), both.cumulative_sizes, [both[i] for i in range(7)], both[-1], both[-7])
try:
    both[-8]
except ValueError as e:
    print(e)
try:
    ConcatDataset([])
except AssertionError as e:
    print(e)
try:
    ConcatDataset([Squares(2), Count(2)])
except AssertionError as e:
    print(e)
chain = Count(2) + Count(3)
print(type(chain).__name__, list(chain), len(chain))
try:
    list(ChainDataset([Count(2), Squares(2)]))
except AssertionError as e:
    print(e)
s = StackDataset(Squares(3), TensorDataset(torch.ones(3)))
print(len(s), s[1], s.__getitems__([0, 2]))
d = StackDataset(a=Squares(3), b=range(3))
print(d[2], d.__getitems__([1]))
for args, kwargs in (((), {}), ((Squares(2), Squares(3)), {}), ((Squares(2),), {"a": Squares(2)})):
    try:
        StackDataset(*args, **kwargs)
    except ValueError as e:
        print(e)
try:
    Dataset()[0]
except NotImplementedError as e:
    print(e)
