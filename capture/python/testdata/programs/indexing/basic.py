import torch

x = torch.arange(24).reshape(2, 3, 4)
print(x[0], x[-1, 0], x[1, 2, 3], x[0][1][2], x[:, 1], x[..., 0], x[0, ...], x[1:, :2, ::2], x[:, -2:], x[()].shape, x[None].shape, x[:, None, ..., None].shape, x[...].shape)
print(x[0:0].shape, x[5:].shape, x[:, 1:1].shape, x[slice(0, 1), 0], x[True].shape, x[False].shape, x[torch.tensor(1)].shape, x[1, torch.tensor(2)])
print(x[0].storage_offset(), x[:, 1].stride(), x[1, :, 2]._base is x, x[..., ::3].shape)
for bad in (lambda: x[2], lambda: x[0, 3], lambda: x[0, 0, 0, 0], lambda: x[-3], lambda: x[::-1], lambda: x[::0], lambda: x["a"], lambda: x[1.5], lambda: x[..., ..., 0, 0, 0], lambda: torch.tensor(1)[0], lambda: x[{}], lambda: x[None, 5]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
