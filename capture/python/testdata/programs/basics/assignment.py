import torch

m = torch.zeros(3, 4)
m[0] = 1
m[1, 2] = 5.5
m[:, 3] = torch.tensor([7.0, 8.0, 9.0])
m[2, :2] = torch.ones(2)
print(m, m._version)
m[m > 6] = -1
m[[0, 2], [0, 1]] = torch.tensor([20.0, 30.0])
m[..., 2] += 100
print(m)
m[torch.tensor([True, False, True])] *= 2
print(m)
m[:] = 0
m[None, 0] = 3
print(m)
for bad in (lambda: m.__setitem__(5, 0), lambda: m.__setitem__(0, torch.ones(3)), lambda: m.__setitem__((0, 0), torch.ones(2)), lambda: m.__setitem__(m > 0, torch.ones(3))):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
i = torch.zeros(3, dtype=torch.long)
i[0] = 2.9
i[1] = True
print(i)
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.zeros(3)
y[1:] = x[:2] * 2
y[0] = x[2]
print(y)
y.pow(2).sum().backward()
print(x.grad)
try:
    del m[0]
except Exception as e:
    print(type(e).__name__, e)
