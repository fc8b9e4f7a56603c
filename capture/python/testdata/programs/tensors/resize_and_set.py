import torch


def attempt(f):
    try:
        print(f())
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, e)


x = torch.arange(6.0)
for sizes in ((6,), (2, 3), (2, 3), (4,), (6,)):
    print(x.resize_(sizes).tolist(), x._version)
t = torch.zeros(2, 3).t()
print(t.resize_(3, 2).stride(), t.resize_as_(torch.empty(3, 2)).stride(), t._version, t.resize_as_(torch.empty(6)).stride())
attempt(lambda: torch.ones(2).resize_(-1))
attempt(lambda: torch.ones(2).resize_(8, 8, 2**29, 2**29))
attempt(lambda: torch.ones(2).resize_(0, 4, 2**61))
attempt(lambda: torch.ones(2, requires_grad=True).resize_(2))

b = torch.arange(6.0)
a = torch.ones(4)
a.set_(b)
print(a, a.data_ptr() == b.data_ptr(), a._version, b._version)
print(a.set_(b, 1, (2, 2), (2, 1)), a.set_(b.untyped_storage(), 2, (3,)), a.set_(b.storage()))
print(a.set_(source=b.untyped_storage(), storage_offset=1, size=(2,), stride=(3,)), a.set_().shape, a._version)
attempt(lambda: torch.ones(2).set_(torch.ones(2).double()))
attempt(lambda: torch.ones(2).set_(torch.ones(2).double().storage()))
attempt(lambda: torch.ones(2).set_(b, 0, (2,), (1, 1)))
attempt(lambda: torch.ones(2, requires_grad=True).set_(b))
attempt(lambda: (torch.ones(2, requires_grad=True) * 2).set_(b).sum().backward())
print(torch.FloatTensor(b.storage()), torch.Tensor(b.untyped_storage()), b.new(b.storage()), b.new(torch.Size([])).shape)
attempt(lambda: torch.LongTensor(b.storage()))
b[0] = 9
print(torch.FloatTensor(b.storage())[0], a.shape)
v = torch.arange(4.0)
print(v.as_strided_((2,), (2,), 1), v._version, v.storage_offset())
w = torch.arange(4.0, requires_grad=True)
y = w * 2
y.as_strided_((2,), (2,), 1)
y.sum().backward()
print(y.grad_fn.name(), w.grad)
attempt(lambda: w.as_strided_((2,), (1,)))
