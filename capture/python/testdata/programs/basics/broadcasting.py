import torch

a = torch.arange(3.0).reshape(3, 1)
b = torch.arange(2.0)
print(a + b, (a * b).shape, (a + torch.ones(4, 1, 2)).shape)
x = torch.ones(3, 1, requires_grad=True)
y = torch.ones(2, requires_grad=True)
out = (x * y + 1) ** 2
out.sum().backward()
print(x.grad, y.grad)
print(torch.broadcast_shapes((3, 1), (1, 4), (4,)), [t.shape for t in torch.broadcast_tensors(a, b)])
e = b.expand(3, 2)
print(e, e.stride())
try:
    e.add_(1)
except RuntimeError as err:
    print(err)
for shapes in (((2, 3), (2,)), ((3,), (4,)), ((2, 1, 3), (4, 2))):
    try:
        print((torch.ones(shapes[0]) + torch.ones(shapes[1])).shape)
    except RuntimeError as err:
        print(err)
try:
    torch.ones(2, 3) @ torch.ones(2, 3)
except RuntimeError as err:
    print(err)
torch.ones(3) + torch.ones(2, 2)
