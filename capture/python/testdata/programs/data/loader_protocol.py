import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Lines(Dataset):
    def __init__(self):
        self.lines = ["first", "second", "third"]

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        return {"i": i, "text": self.lines[i], "size": torch.tensor(len(self.lines[i]))}


class Batched(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return i

    def __getitems__(self, indices):
        print("asked for", indices)
        return [i * 10 for i in indices]


for batch in DataLoader(Lines(), batch_size=2):
    print(batch)
print(list(DataLoader(Batched(), batch_size=3)))
print(list(DataLoader([1, 2, 3], batch_size=2, collate_fn=sum)))
print(list(DataLoader(range(5), batch_size=None, sampler=[4, 0, 2])))
print([b.tolist() for b in DataLoader(range(6), batch_sampler=[[0, 5], [1], [2, 3, 4]])])
print(get_worker_info())
it = iter(DataLoader(range(2)))
print(next(it), next(it), next(it, "end"), len(it))
loader = DataLoader(range(3), batch_size=2)
print(len(loader), [x.tolist() for x in loader], [x.tolist() for x in loader])
print(torch.initial_seed() >= 0)


class Broken(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i == 1:
            raise ValueError("sample %d is broken" % i)
        return i


for b in DataLoader(Broken()):
    print(b)
