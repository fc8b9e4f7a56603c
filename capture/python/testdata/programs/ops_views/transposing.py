import torch

x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
for y in (x.transpose(0, 1), torch.transpose(x, -1, 0), x.permute(2, 0, 1), torch.permute(x, (1, 2, 0)), x.permute((0, 2, 1)), x.movedim(0, 2), torch.movedim(x, (0, 1), (2, 0)), torch.moveaxis(x, 0, -1), x.moveaxis(1, 0), torch.swapaxes(x, 0, 1), x.swapdims(1, 2), x.mT, x.adjoint(), x.mH, torch.adjoint(x), x[0].T, x[0].t(), torch.t(x[1]), x[0].H):
    print(tuple(y.shape), y.stride(), y.grad_fn.name())
c = torch.arange(6).reshape(2, 3)
print(c.flip(0), torch.flip(c, (0, 1)), c.fliplr(), torch.flipud(c), c.rot90(), torch.rot90(c, 2), c.rot90(-1, (1, 0)), torch.roll(c, 1), c.roll((1, -1), (0, 1)), c.roll(1, 0), torch.fliplr(c), c.flipud())
d = torch.ones(2, 3)
print(d.transpose_(0, 1).shape, d.t_().shape, d.swapaxes_(0, 1).shape, d.swapdims_(0, 1).shape, d._version)
(x.permute(2, 0, 1)[0].sum() + x.flip(0)[0, 0].sum() + x.roll(1, 0)[0].sum() * 2 + x.rot90(1, (0, 1))[0].sum()).backward()
print(x.grad)
for bad in (lambda: x.transpose(0, 3), lambda: x.t(), lambda: x.permute(0, 1), lambda: x.permute(0, 0, 1), lambda: x.T, lambda: x[0, 0].mT, lambda: torch.ones(1).H if False else x.H, lambda: c.flip(2), lambda: c.flip(0, 0), lambda: c.roll((1, 2)), lambda: c.rot90(1, (0, 0)), lambda: x.movedim((0, 1), (0,)), lambda: torch.ones(2).fliplr(), lambda: x.transpose(0)):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
