import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x.exp()
b = a * 2
a += 1
try:
    b.sum().backward()
    print("mul by a number needs no input:", x.grad)
except RuntimeError as e:
    print(e)
c = x.sigmoid()
d = c * c
with torch.no_grad():
    c.zero_()
try:
    d.sum().backward()
except RuntimeError as e:
    print(e)
e = x * 3
f = e**2
e[0] = 7
f.sum().backward()
