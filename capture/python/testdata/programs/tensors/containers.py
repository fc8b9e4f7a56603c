import torch

x = torch.arange(6).reshape(2, 3)
print(len(x), [row.tolist() for row in x], [v.item() for v in x[0]], 3 in x, 9 in x, torch.tensor(2) in x, list(reversed(x[0])))
a, b = x
print(a, b, tuple(x), max(x[0]), min(x[1]), sum(x[0]), sorted(torch.tensor([3, 1, 2])), any(x[0]), all(x[1]))
print(dict(zip("ab", x)), [i for i, _ in enumerate(x)], list(map(int, x[0])), *x[0])
d = {x: "x", a: "a"}
print(d[x], d[a], hash(x) == id(x), x in [x], x[0] is x[0])
for bad in (lambda: iter(torch.tensor(1)), lambda: x[5], lambda: "a" in x, lambda: x.index(1), lambda: len(torch.tensor(1)), lambda: x in [torch.ones(2)]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
