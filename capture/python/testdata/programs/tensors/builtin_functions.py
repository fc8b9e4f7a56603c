import torch

t = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
print(max(t), min(t), sorted(t), sum(t))
print(max(t[0], t[1]), min(t[0], 2.5), sorted(t, reverse=True)[0])
print(max(torch.tensor([3, 1, 2])), sorted(torch.tensor([True, False])))
print(list(reversed(t)), any(t > 2), all(t > 2), abs(t), pow(t[0], 2))
max(t).backward()
print(t.grad)
print(sorted([torch.tensor(2), torch.tensor(1)], key=lambda v: -v), max([[1, 2], [3]], key=len))
for run in (lambda: max(torch.tensor(1.0)), lambda: max(torch.ones(2, 2)), lambda: sorted(torch.ones(2, 2))):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
