import torch


def powers(x):
    y = torch.ones_like(x)
    try:
        while True:
            more = yield y
            y = y * (x if more is None else more)
    finally:
        print("closed", y)


x = torch.tensor(2.0, requires_grad=True)
g = powers(x)
print([next(g) for _ in range(4)])
print(g.send(torch.tensor(10.0)))
last = next(g)
last.backward()
print(x.grad)
g.close()


def total(xs):
    result = yield from (x * 2 for x in xs)
    return result


print(sum(total([x, x + 1])), *map(lambda t: t.item(), total(torch.arange(3))))
with_error = (t.view(2) for t in (torch.ones(2), torch.ones(3)))
print(next(with_error))
next(with_error)
