import torch

x = torch.arange(10.0).reshape(5, 2).requires_grad_()
print(x.split(2), torch.split(x, [1, 4]), x.chunk(2), torch.chunk(x, 3, dim=0), x.unbind(), torch.unbind(x, 1), x.tensor_split(3), torch.tensor_split(x, (1, 3)), x.split_with_sizes([2, 3]), torch.split_with_sizes(x, [5]))
print(x.tensor_split(torch.tensor([2])), torch.unsafe_chunk(x, 2)[0].grad_fn.name(), torch.unsafe_split(x, 3)[1].grad_fn.name(), x.unsafe_split_with_sizes([1, 4])[0].grad_fn.name(), x.unsafe_chunk(5)[4], x.unsafe_split(4)[1], torch.unsafe_split_with_sizes(x, [4, 1])[1])
c = torch.arange(16).reshape(2, 2, 4)
print(c.hsplit(2), torch.vsplit(c, 2), c.dsplit(2), torch.hsplit(c, [1]), c.vsplit([1]), torch.dsplit(c, [1, 3]), torch.hsplit(torch.arange(4), 2))
a, b = x.split([2, 3])
print(a.grad_fn.name(), b.grad_fn.name(), b.output_nr, a._base is x, b.storage_offset())
(a.sum() + 2 * b.sum() + x.chunk(2, 1)[1].sum() + x.unbind()[0].sum()).backward()
print(x.grad)
print(x.narrow(0, 1, 2), torch.narrow(x, 1, 0, 1), x.narrow(0, torch.tensor(1), 1), x.select(0, 1), torch.select(x, 1, -1), x.unfold(0, 2, 2), x.unfold(0, 3, 1).shape, x.as_strided((2, 2), (1, 2)), torch.as_strided(x, (3,), (2,), 1))
y = x * 1
for part in (lambda: y.split(2)[0].add_(1), lambda: y.chunk(2)[0].mul_(2), lambda: y.unbind()[0].zero_(), lambda: y.tensor_split(2)[0].add_(1)):
    try:
        print(part())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
y.unsafe_chunk(2)[0].add_(1)
y.narrow(0, 0, 1).add_(5)
print(y)
for bad in (lambda: x.split([2, 2]), lambda: x.split(-1), lambda: x.chunk(0), lambda: x.tensor_split(0), lambda: x.narrow(0, 4, 3), lambda: x.narrow(0, 0, -1), lambda: x.select(0, 5), lambda: x.unfold(0, 6, 1), lambda: x.hsplit(3), lambda: torch.arange(4).vsplit(2), lambda: x.dsplit(1), lambda: torch.tensor(1).unbind(), lambda: x.as_strided((9, 9), (9, 9)), lambda: x.unfold(0, 2, 0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
