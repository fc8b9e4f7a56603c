import torch

x = torch.arange(9.0).reshape(3, 3).requires_grad_()
v = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.diag(x), x.diag(1), torch.diag(v), v.diag(-1), torch.diagflat(v), v.diagflat(1), torch.diag_embed(v), v.diag_embed(offset=1), x.diagonal(), torch.diagonal(x, offset=-1), x.diagonal(dim1=1, dim2=0), torch.linalg.diagonal(x), torch.diagonal_copy(x))
print(torch.tril(x), x.tril(-1), torch.triu(x), x.triu(1), x.detach().clone().tril_(), x.detach().clone().triu_(1), torch.trace(x), x.trace())
print(torch.diagonal_scatter(x, torch.zeros(3)), x.diagonal_scatter(v, 1), torch.select_scatter(x, torch.ones(3), 0, 1), x.select_scatter(torch.ones(3), 1, 0), torch.slice_scatter(x, torch.zeros(1, 3), 0, 1, 2, 1), x.slice_scatter(torch.zeros(3, 2), dim=1, start=0, end=3, step=2))
y = x * 1
y.diagonal().zero_()
print(y, y.grad_fn.name())
(x.diag().sum() + 2 * x.tril().sum() + x.trace() + y.sum() + v.diag().sum() + v.diag_embed()[0].sum() + x.diagonal_scatter(v, 1).sum()).backward()
print(x.grad, v.grad)
print(torch.alias_copy(v), torch.view_copy(v, (2, 1)) if hasattr(torch, "view_copy") else "", torch.real(x) is x)
for bad in (lambda: torch.ones(2, 2, 2).diag(), lambda: torch.tensor(1.0).diag(), lambda: v.diagonal(), lambda: v.tril(), lambda: torch.trace(v), lambda: x.diagonal(dim1=0, dim2=0), lambda: x.diagonal_scatter(torch.ones(2)), lambda: x.select_scatter(torch.ones(2), 0, 0), lambda: x.slice_scatter(torch.ones(2, 2), 0, 0, 3, 1), lambda: x.diagonal(dim1=2), lambda: torch.ones(2).imag):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
