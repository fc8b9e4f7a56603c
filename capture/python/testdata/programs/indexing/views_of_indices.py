import torch

x = torch.arange(6.0)
v, c = x[1:4], x[[1, 2, 3]]
v[0] = 100
c[0] = -1
print(x, v._base is x, c._base, v._is_view(), c._is_view(), x[::2].is_contiguous(), x[...] is x, x[:].data_ptr() == x.data_ptr(), x._version, v._version, c._version)
m = torch.zeros(2, 3)
row, column = m[0], m[:, 1]
row += 1
column.fill_(5)
m[1][2] = 7
m[[1]][0] = 99
m.T[0] = 4
print(m, row, column, m[0].storage_offset(), m.T.stride(), m.flatten().data_ptr() == m.data_ptr(), m.T.flatten().data_ptr() == m.data_ptr())
w = torch.ones(4, requires_grad=True)
h = w * 1
part = h[:2]
with torch.no_grad():
    h[0] = 3
part.mul_(2)
h.sum().backward()
print(w.grad, h, part)
a, b = torch.ones(4, requires_grad=True).clone().split(2)
a.mul_(2)
