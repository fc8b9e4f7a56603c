import torch

base = torch.arange(6.0)
v = base.view(2, 3)
t = v.t()
s = base[1:4]
v[0, 1] = 50
print(base, t, s)
print(v._base is base, s._base is base, t._is_view(), base._is_view())
print(base._version, v._version, s._version)
s.mul_(2)
print(base, base._version)
print(t.is_contiguous(), t.stride(), t.storage_offset(), s.storage_offset(), t.contiguous().stride())
print(v.data_ptr() == base.data_ptr(), s.data_ptr() - base.data_ptr())
try:
    t.view(6)
except RuntimeError as e:
    print(e)
print(t.reshape(6), v.reshape(-1)._base is base)
x = torch.ones(2, 2, requires_grad=True)
y = x * 1
row = y[0]
print(row.grad_fn.name(), row._base is y)
row *= 10
print(y, row, y.grad_fn.name(), row.grad_fn.name())
y.sum().backward()
print(x.grad)
