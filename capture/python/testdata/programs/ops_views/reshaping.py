import torch

x = torch.arange(12.0).reshape(3, 4).requires_grad_()
for y in (x.view(4, 3), x.view(-1), x.view((2, 6)), x.reshape(2, -1), torch.reshape(x, (6, 2)), x.flatten(), torch.flatten(x, 0, 1), x.ravel(), torch.ravel(x), x.view_as(torch.ones(2, 6)), x.reshape_as(torch.ones(12)), x.unflatten(1, (2, 2)), torch.unflatten(x, 0, (3, -1)), x.unsqueeze(0), torch.unsqueeze(x, -1), x[None].squeeze(), x[None].squeeze(0), torch.squeeze(x[None, :, None], dim=2), x[None, :, None].squeeze((0, 2)), x.unsqueeze(1).squeeze(0)):
    print(tuple(y.shape), y.grad_fn.name(), y._is_view(), y.is_contiguous(), y.stride())
t = x.t()
print(t.reshape(12).grad_fn.name(), t.contiguous().grad_fn.name(), t.flatten()[:4], x.contiguous() is x, t.view(4, 3).shape)
print(torch.atleast_1d(torch.tensor(1.0)), torch.atleast_2d(torch.tensor([1.0, 2.0])), torch.atleast_3d(torch.ones(2)).shape, torch.atleast_1d(torch.tensor(1), torch.tensor([2])), torch.atleast_2d([torch.tensor(1), torch.ones(2)]) if True else "", torch.atleast_3d(torch.tensor(1), torch.ones(2, 2))[1].shape, torch.tensor(2).ndim)
r = torch.zeros(2, 3)
print(r.resize_(3, 2), r.resize_as_(torch.ones(1, 2)) if hasattr(r, "resize_as_") else "", torch.ones(4).set_(torch.arange(3.0)), r.unsqueeze_(0).shape, r.squeeze_().shape, r.t_().shape if r.dim() == 2 else r.unsqueeze_(0).t_().shape)
(x.view(-1)[::3].sum() + x.unflatten(1, (2, 2))[:, 0].sum() + x.t().reshape(-1)[0]).backward()
print(x.grad)
for bad in (lambda: x.view(5), lambda: x.view(-1, -1), lambda: x.t().view(12), lambda: x.reshape(5, -1), lambda: x.unflatten(0, (2, 2)), lambda: x.flatten(1, 0), lambda: x.unsqueeze(5), lambda: x.squeeze(3), lambda: x.view("a"), lambda: x.resize_(2), lambda: x.reshape(), lambda: x.view()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
