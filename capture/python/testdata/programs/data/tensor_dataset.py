import torch
from torch.utils.data import DataLoader, TensorDataset

x = torch.arange(14.0).reshape(7, 2)
y = torch.arange(7)
ds = TensorDataset(x, y)
print(len(ds), ds[2], ds[-1])
print(ds[[0, 3]])
for xb, yb in DataLoader(ds, batch_size=3):
    print(xb.shape, xb.dtype, yb.tolist())
loader = DataLoader(ds, batch_size=3, drop_last=True)
print(len(loader), [yb.tolist() for _, yb in loader])
try:
    TensorDataset(torch.zeros(3), torch.zeros(4))
except AssertionError as e:
    print(e)
try:
    ds[7]
except IndexError as e:
    print(e)
