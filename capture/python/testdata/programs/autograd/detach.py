import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
d = y.detach()
print(d.requires_grad, d.is_leaf, d.data_ptr() == y.data_ptr(), d._is_view())
(y * d).sum().backward()
print(x.grad)
y = x * 2
y.detach_()
print(y.requires_grad, y.grad_fn)
z = x * 3
w = z + 1
z.detach_()
w.sum().backward()
print(x.grad)
print(x.data.requires_grad, x.data is x, x.detach() is x)
with torch.no_grad():
    n = x * 2
print(n.requires_grad)
a = torch.tensor(x.tolist())
b = x.clone()
c = x.detach().clone().requires_grad_()
(b * c).sum().backward()
print(x.grad, c.grad, a.requires_grad)
v = x[:1]
try:
    v.detach_()
except RuntimeError as e:
    print(e)
try:
    x.numpy()
except RuntimeError as e:
    print(e)
print(float(x[0]), x[1].item(), int(x[1]))
