import torch

x = torch.tensor([7.0, 8.0])
y = x
x += 1
x -= torch.tensor([0.5, 0.25])
x *= 2
x /= 4
print(x, y is x, x._version)
x **= 2
x //= 3
x %= 2
print(x, x._version)
i = torch.tensor([6, 5])
i <<= 2
i >>= 1
i &= 13
i |= 1
i ^= 3
print(i)
b = torch.tensor([True, False])
b &= True
b |= torch.tensor([False, True])
print(b)
for bad in ("i += 1.5", "i /= 2", "x += torch.ones(2, 2)", "b += True", "b -= True", "x @= x"):
    try:
        exec(bad)
        print(bad, x, i, b)
    except Exception as e:
        print(bad, type(e).__name__, str(e).split("\n")[0])
w = torch.ones(2, requires_grad=True)
w -= 0.1
