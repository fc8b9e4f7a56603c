import torch

for dtype in (torch.float64, torch.bfloat16):
    for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop):
        p = torch.tensor([1.0, -2.0, 3.0], dtype=dtype, requires_grad=True)
        opt = cls([p], lr=0.125)
        for _ in range(3):
            opt.zero_grad()
            (p * p).sum().backward()
            opt.step()
        print(cls.__name__, p, {k: v.dtype for k, v in opt.state[p].items()})
