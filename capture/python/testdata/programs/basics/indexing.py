import torch

m = torch.arange(12).reshape(3, 4)
print(m[0], m[-1], m[1, 2], m[:, 1], m[1:], m[::2, ::3])
print(m[..., 0], m[None].shape, m[:, None, :].shape, m[0, ...])
print(m[[0, 2]], m[[0, 2], [1, 3]], m[torch.tensor([2, 0])], m[m > 5])
print(m[:, [True, False, True, False]], m[torch.tensor([True, False, True])])
print(m[1][2].item(), m[(1, 2)], m[True].shape, m[False].shape)
i = torch.tensor(1)
print(m[i], m[i, i], m[i : i + 2], m[:, i])
print(m[torch.tensor([[0, 1], [2, 0]])].shape, m[torch.tensor([[0], [2]]), torch.tensor([1, 3])])
k = torch.arange(24).reshape(2, 3, 4)
print(k[:, [0, 2], 1:3], k[0, :, [0, 1]], k[[0, 1], :, [0, 1]].shape, k[..., None].shape)
for bad in (lambda: m[3], lambda: m[0, 0, 0], lambda: m[::-1], lambda: m["a"], lambda: m[1.0], lambda: m[[5]], lambda: m[torch.tensor([True, False])]):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
try:
    torch.tensor(3)[0]
except IndexError as e:
    print(e)
