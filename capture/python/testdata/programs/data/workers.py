import math

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Noise(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        info = get_worker_info()
        return i, info.id, torch.rand(()), info.seed - torch.initial_seed()


class Range(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


def split(worker_id):
    info = get_worker_info()
    ds = info.dataset
    part = math.ceil((ds.end - ds.start) / info.num_workers)
    ds.start = ds.start + worker_id * part
    ds.end = min(ds.start + part, ds.end)


if __name__ == "__main__":
    torch.manual_seed(0)
    for batch in DataLoader(Noise(), batch_size=2, num_workers=2, shuffle=True):
        print(batch)
    print(torch.rand(1))
    print([b.tolist() for b in DataLoader(Range(3, 9), num_workers=2)])
    print([b.tolist() for b in DataLoader(Range(3, 9), num_workers=2, worker_init_fn=split)])
    print([b.tolist() for b in DataLoader(Range(0, 7), batch_size=2, num_workers=2, worker_init_fn=split)])
    loader = DataLoader(Noise(), num_workers=1, persistent_workers=True)
    print([b[0].item() for b in loader], [b[0].item() for b in loader])
