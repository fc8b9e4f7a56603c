import torch

m = torch.arange(6).reshape(3, 2)
for row in m:
    print(row, row.shape)
a, b, c = m
print(a, c)
first, *rest = m.unbind(1)
print(first, rest)
print([int(v) for v in m[0]], list(torch.tensor([1.5, 2.5])))
print(list(zip(torch.tensor([1, 2]), torch.tensor([3.0, 4.0]))))
for i, v in enumerate(torch.tensor([10, 20])):
    print(i, v)
print(list(reversed(torch.arange(3))), torch.arange(3).tolist(), m.tolist())
try:
    for v in torch.tensor(1):
        pass
except TypeError as e:
    print(e)
try:
    a, b = torch.arange(3)
except ValueError as e:
    print(e)
x = torch.tensor([1.0, 2.0], requires_grad=True)
total = 0
for v in x:
    total = total + v * v
print(total)
total.backward()
print(x.grad)
u, v = x
u.add_(1)
