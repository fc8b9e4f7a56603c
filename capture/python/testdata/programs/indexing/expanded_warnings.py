import torch

x = torch.zeros(1).expand(3)
mask, index = torch.tensor([True, True, True]), torch.tensor([0])
x.masked_fill_(mask, 1.0)
x.index_put_((index,), torch.ones(1))
x.index_fill_(0, index, 2.0)
x[index] = 3.0
print(x)
