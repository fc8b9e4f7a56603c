import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
d = y.detach()
print(d, d.requires_grad, d._version, d.data_ptr() == y.data_ptr())
d += 1
print(y, y._version)
z = (x * x).detach_()
print(z.requires_grad, z.is_leaf)
x.data[0] = 10
print(x, x._version)
x.data = torch.tensor([5.0, 6.0, 7.0])
print(x, x.shape)
print(x.detach().sum(), x.data.sum())
w = torch.ones(2, requires_grad=True)
h = w * 2
try:
    w.detach_()
    print(w.requires_grad)
    h.sum().backward()
    print(w.grad)
except RuntimeError as e:
    print(e)
v = (torch.ones(2, requires_grad=True) * 1)[0:1]
v.detach_()
