import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

torch.manual_seed(0)
ds = TensorDataset(torch.arange(10))
loader = DataLoader(ds, batch_size=4, shuffle=True)
for epoch in range(3):
    print(epoch, [b[0].tolist() for b in loader])
print(torch.rand(2))
g = torch.Generator().manual_seed(42)
loader = DataLoader(ds, batch_size=5, shuffle=True, generator=g)
print([b[0].tolist() for b in loader], [b[0].tolist() for b in loader])
print(torch.rand(2), torch.rand(1, generator=g))
torch.manual_seed(1)
print(list(RandomSampler(range(6))), list(RandomSampler(range(6), num_samples=10)))
print(list(RandomSampler(range(4), replacement=True, num_samples=40)))
print(len(RandomSampler(range(4), replacement=True, num_samples=40)))
