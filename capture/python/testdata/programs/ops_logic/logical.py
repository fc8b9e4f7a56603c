import torch

a, b = torch.tensor([True, True, False, False]), torch.tensor([True, False, True, False])
for name in ("logical_and", "logical_or", "logical_xor"):
    print(name, getattr(torch, name)(a, b), getattr(a, name)(b), getattr(a.clone(), name + "_")(b), getattr(torch, name)(torch.tensor([0.0, 2.0]), torch.tensor([1, 0])))
print(torch.logical_not(a), a.logical_not(), a.clone().logical_not_(), torch.logical_not(torch.tensor([0.0, 1.5])))
out = torch.empty(4, dtype=torch.int8)
torch.logical_and(a, b, out=out)
print(out)
x = torch.arange(6.0).reshape(2, 3).requires_grad_()
m = x > 2
print(torch.where(m, x, -x), torch.where(m, x, torch.zeros(1)), torch.where(m, x, 0.5), torch.where(m, 0.5, x), torch.where(m, 1, 0), x.where(m, torch.tensor(-1.0)), torch.where(m), x.where(m, -2.0))
torch.where(m, x * 2, x * 3).sum().backward()
print(x.grad)
print(x.masked_fill(m, -1), torch.masked_fill(x, m, torch.tensor(7.0)), x.detach().clone().masked_fill_(~m, 9), x.detach().clone().masked_fill_(m, torch.tensor(3.0)))
print(torch.masked_select(x, m), x.masked_select(torch.tensor([True, False, True])))
source = torch.tensor([10.0, 20.0, 30.0, 40.0], requires_grad=True)
print(x.masked_scatter(m, source), torch.masked_scatter(x, m, source), x.detach().clone().masked_scatter_(m, source.detach()))
(x.masked_scatter(m, source).sum() + x.masked_select(m).sum() + x.masked_fill(m, 0).sum()).backward()
print(x.grad, source.grad)
print(m.nonzero(), torch.nonzero(m, as_tuple=True), torch.nonzero(torch.tensor([0, 3, 0, 4])), torch.argwhere(m), m.argwhere(), m.nonzero(as_tuple=True))
for bad in (
    lambda: torch.where(x, x, x),
    lambda: x.masked_fill(torch.ones(2, 3), 0),
    lambda: x.masked_fill(m, torch.ones(2)),
    lambda: x.masked_scatter(m, torch.ones(1)),
    lambda: torch.masked_select(x, torch.tensor([True])[:0]),
    lambda: torch.where(m, x, "a"),
    lambda: x.masked_fill(torch.tensor([True, False]), 0),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
