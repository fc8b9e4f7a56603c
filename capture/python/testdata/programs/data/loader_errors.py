import torch
from torch.utils.data import DataLoader, IterableDataset, RandomSampler, SequentialSampler


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))

    def __repr__(self):
        return "Stream()"


ds = list(range(6))
cases = [
    dict(num_workers=-1),
    dict(timeout=-1),
    dict(prefetch_factor=2),
    dict(persistent_workers=True),
    dict(sampler=SequentialSampler(ds), shuffle=True),
    dict(batch_sampler=[[0], [1]], batch_size=2),
    dict(batch_sampler=[[0]], drop_last=True),
    dict(batch_size=None, drop_last=True),
    dict(batch_size=0),
    dict(batch_size=1.5),
    dict(multiprocessing_context="fork"),
    dict(num_workers=1, multiprocessing_context="bad"),
]
for case in cases:
    try:
        DataLoader(ds, **case)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
for case in (dict(shuffle=True), dict(shuffle=False), dict(shuffle="x"), dict(batch_sampler=3)):
    try:
        DataLoader(Stream(), **case)
        print("fine", case)
    except ValueError as e:
        print(e)
loader = DataLoader(ds, batch_size=2)
for name in ("batch_size", "sampler", "dataset", "drop_last", "num_workers"):
    try:
        setattr(loader, name, None)
        print("set", name)
    except ValueError as e:
        print(e)
print(loader.batch_size, loader.drop_last, type(loader.sampler).__name__, type(loader.batch_sampler).__name__)
try:
    len(DataLoader(Stream()))
except TypeError as e:
    print(e)
