"""The same operation before and after the layout of its tensor has changed in place."""

import torch


def twice(x):
    return x * 2.0


def shapes(x):
    return tuple(twice(x).shape), x.dim(), x.numel(), len(x), tuple(x.size()), x.stride(), x.dtype


x = torch.arange(6.0).reshape(2, 3)
for _ in range(3):
    print(shapes(x))
x.t_()
print(shapes(x), twice(x).tolist())
x.transpose_(0, 1)
print(shapes(x), x.is_contiguous())
x.unsqueeze_(0)
print(shapes(x))
x.squeeze_(0)
print(shapes(x))
x.resize_(3, 2)
print(shapes(x), twice(x).tolist())
x.data = torch.ones(4, dtype=torch.float64)
print(shapes(x), twice(x).tolist())
x.set_(torch.arange(5.0, dtype=torch.float64))
print(shapes(x), twice(x).tolist())

a, b, out = torch.ones(2), torch.ones(2), torch.empty(2)
for _ in range(3):
    torch.add(a, b, out=out)
    print(shapes(out))
for _ in range(2):
    torch.add(torch.ones(3, 2), 1, out=out.resize_(0))
    print(shapes(out))

values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
for n in (2, 2, 3):
    torch.max(torch.arange(2.0 * n).reshape(n, 2), 1, out=(values.resize_(0), indices.resize_(0)))
    print(shapes(values), shapes(indices), (values + indices).tolist())

torch.manual_seed(0)
layer = torch.nn.Linear(2, 1)
for _ in range(2):
    print(layer(torch.ones(1, 2)).dtype, layer.weight.dtype)
layer.double()
for _ in range(2):
    print(layer(torch.ones(1, 2, dtype=torch.float64)).dtype, layer.weight.dtype)

p, q = torch.zeros(2), torch.zeros(3)
print(twice(p).shape, twice(q).shape)
torch.utils.swap_tensors(p, q)
print(twice(p).shape, twice(q).shape, p.shape, q.shape)
