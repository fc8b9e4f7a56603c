import torch


def attempt(f):
    try:
        print(f())
    except RuntimeError as e:
        print(e)


i = torch.tensor([2, 1, 0])
y = torch.arange(6.0)
attempt(lambda: i.index_fill_(0, i, 0))
attempt(lambda: i.clone().index_fill_(0, i, 0))
attempt(lambda: i.index_put_((i,), i.clone()))
attempt(lambda: i.index_put_((i.clone(),), i))
attempt(lambda: y.index_put_((i,), y[:3]))
mask = torch.tensor([True, False, True, True])
attempt(lambda: mask[1:].masked_fill_(mask[:-1], False))
attempt(lambda: mask.masked_fill_(mask, False))


def put(t, index, value):
    t[index] = value
    return t


attempt(lambda: put(i, i, 1))
attempt(lambda: put(y, i, y[:3]))
attempt(lambda: put(y, y > 3, y[4:]))
