import torch

a = torch.tensor([4.0, 9.0, 16.0])
first = a
a += 1
a -= 2
a *= 3
a /= 2
print(a, a is first, a._version)
a **= 2
a //= 3
a %= 7
print(a, a is first, a._version)
i = torch.tensor([1, 2, 3])
i <<= 2
i |= 1
i &= 12
i ^= 5
i >>= 1
print(i, i._version)
for text in ("i += 0.5", "i /= 2", "i **= -1"):
    try:
        exec(text)
    except RuntimeError as e:
        print(text, "->", e)
m = torch.eye(2)
m @= torch.full((2, 2), 3.0)
print(m, m._version)
try:
    b = torch.ones(3)
    b += torch.ones(2, 3)
except RuntimeError as e:
    print(e)
c = torch.ones(2, 3)
c += torch.arange(3.0)
print(c)
