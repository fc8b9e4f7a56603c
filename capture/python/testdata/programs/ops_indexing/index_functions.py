import torch

x = torch.zeros(3, 3, requires_grad=True)
i = torch.tensor([0, 2])
t = torch.tensor([[1.0, 2, 3], [4, 5, 6]], requires_grad=True)
print(x.index_add(0, i, t), torch.index_add(x, 0, i, t, alpha=2), x.index_copy(0, i, t), torch.index_copy(x, 0, i, t), x.index_fill(1, i, 7), torch.index_fill(x, 0, i, torch.tensor(3.0)))
for reduce in ("prod", "mean", "amax", "amin"):
    print(reduce, x.detach().index_reduce(0, i, t.detach(), reduce), torch.index_reduce(torch.ones(3, 3), 0, i, t.detach(), reduce, include_self=False))
print(x.index_put((i, i), torch.tensor([1.0, 2.0])), torch.index_put(x, (i,), torch.tensor(5.0)), x.index_put((i, i), torch.tensor(1.0), accumulate=True), x.put(torch.tensor([0, 4]), torch.tensor([8.0, 9.0])), x.put(torch.tensor([0, 0]), torch.tensor([8.0, 9.0]), accumulate=True))
y = torch.zeros(3, 3)
print(y.index_add_(1, torch.tensor([1]), torch.ones(3, 1)), y.index_copy_(0, torch.tensor([1]), torch.full((1, 3), 4.0)), y.index_fill_(1, torch.tensor([0]), -1), y.index_fill_(0, torch.tensor([2]), torch.tensor(6.0)), y.index_put_((torch.tensor([0]),), torch.tensor(9.0)), y.put_(torch.tensor([4]), torch.tensor([100.0])), y.index_reduce_(0, torch.tensor([1]), torch.full((1, 3), 2.0), "prod"), y.put_(torch.tensor([4]), torch.tensor([1.0]), accumulate=True))
(x.index_add(0, i, t * 2).sum() + x.index_copy(0, i, t).sum() + x.index_fill(0, i, 1).sum() + x.index_put((i, i), t[0, :2]).sum() + x.put(i, t[1, :2]).sum()).backward()
print(x.grad, t.grad)
print(x.index_add(0, i, t).grad_fn.name(), x.index_put((i,), t).grad_fn.name(), x[i].grad_fn.name(), x[0].grad_fn.name(), x[0:1].grad_fn.name(), x[None].grad_fn.name(), x[..., 0].grad_fn.name())
z = x * 1
z[i] = t
z[1] = 5
z[:, 0] += 1
print(z, z.grad_fn.name())
for bad in (lambda: x.index_add(0, i, torch.ones(3, 3)), lambda: x.index_add(0, i.float(), t), lambda: x.index_copy(0, torch.tensor([5, 1]), t), lambda: x.index_fill(0, i, torch.ones(2)), lambda: x.index_put((i, torch.tensor([0, 1, 2])), t), lambda: x.index_put((torch.tensor([5]),), torch.tensor(1.0)), lambda: x.index_reduce(0, i, t, "no"), lambda: x.put(i, torch.ones(3)), lambda: x.put(torch.tensor([9]), torch.ones(1)), lambda: x.index_add(3, i, t), lambda: x.index_put(i, t)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
