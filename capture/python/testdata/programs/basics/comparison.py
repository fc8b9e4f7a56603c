import torch

a = torch.tensor([1.0, 2.0, float("nan")])
b = torch.tensor([1.0, 3.0, float("nan")])
print(a == b, a != b, a < b, a <= b, a > b, a >= b)
print(a == 1, 2 > a, 1 == a, (a == b).any(), (a[:2] <= b[:2]).all())
print(torch.equal(a[:2], a[:2].clone()), torch.equal(a, a), torch.allclose(a[:1], b[:1]))
print(a == None, a != None)
print(a is a, a == "text")
try:
    if a == b:
        pass
except RuntimeError as e:
    print(e)
try:
    print(torch.ones(2) == torch.ones(3))
except RuntimeError as e:
    print(e)
print(bool(torch.tensor([[0.5]])), not torch.tensor(0), torch.tensor(3) in [1, 2, 3])
print(2.0 in a, 5.0 in a, torch.tensor(3.0) in b)
try:
    bool(torch.tensor([]))
except RuntimeError as e:
    print(e)
try:
    "x" in a
except Exception as e:
    print(type(e).__name__, e)
x = torch.ones(2, requires_grad=True)
print((x > 0).requires_grad, (x == x).dtype)
