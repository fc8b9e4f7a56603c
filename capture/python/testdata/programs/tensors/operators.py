import torch

a, b = torch.tensor([7.0, -3.0]), torch.tensor([2.0, 2.0])
print(a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a, +a, abs(a), a @ b, 1 + a, 1 - a, 2 * a, 1 / b, 7 // b, 7 % b, 2**b)
i, j = torch.tensor([6, 5]), torch.tensor([3, 1])
print(i & j, i | j, i ^ j, ~i, i << 1, i >> j, 1 & i, 1 | i, 1 ^ i, 1 << j, 64 >> j, i // 4, -i % 4, i / j, i**2)
print(a == b, a != b, a < b, a <= b, a > b, a >= b, a == 7, 7 == a, a == None, a != "x", divmod(7, 2))
print(torch.tensor([True]) & torch.tensor([False]), True | torch.tensor([False]), ~torch.tensor([True, False]))
for bad in (lambda: a + "x", lambda: "x" + a, lambda: a @ 2, lambda: a & b, lambda: a << "1", lambda: ~a, lambda: a < "x", lambda: a + None, lambda: [1] + a, lambda: a**"2", lambda: -torch.tensor([True]), lambda: torch.tensor([True]) - torch.tensor([True]), lambda: 2 ** torch.tensor([-1]), lambda: torch.tensor([2]) ** -1, lambda: divmod(a, 2), lambda: a + torch.ones(3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
