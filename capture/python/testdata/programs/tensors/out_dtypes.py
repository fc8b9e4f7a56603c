import torch


def attempt(f, *args, **kwargs):
    try:
        r = f(*args, **kwargs)
        print(f.__name__, [t.dtype for t in r] if isinstance(r, tuple) else r.dtype)
    except (RuntimeError, TypeError) as e:
        print(f.__name__, type(e).__name__, e)


x = torch.tensor([[1.0, 2.0], [3.0, 0.0]])
index = torch.tensor([[0, 1], [1, 0]])
for f in (torch.neg, torch.floor, torch.abs, torch.sign, torch.frac, torch.exp, torch.square, torch.signbit, torch.nan_to_num, torch.tril, torch.diag):
    attempt(f, x, out=torch.empty(0, dtype=torch.float64))
for f in (torch.sum, torch.cumsum, torch.logcumsumexp, torch.softmax, torch.amax, torch.argmax, torch.all):
    attempt(f, x, 0, out=torch.empty(0, dtype=torch.float64))
for f in (torch.sort, torch.max, torch.median, torch.cummax):
    attempt(f, x, 0, out=(torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.int64)))
    attempt(f, x, 0, out=(torch.empty(0), torch.empty(0)) if f is not torch.median else (torch.empty(0), index.clone()))
for f in (torch.add, torch.mm, torch.matmul, torch.maximum):
    attempt(f, x, x, out=torch.empty(0, dtype=torch.float64))
    attempt(f, x, x, out=torch.empty(0, dtype=torch.int32))
attempt(torch.where, x > 1, x, x, out=torch.empty(0, dtype=torch.float64))
attempt(torch.gather, x, 0, index, out=torch.empty(0, dtype=torch.float64))
attempt(torch.take, x, index, out=torch.empty(0, dtype=torch.float64))
attempt(torch.index_select, x, 0, index[0], out=torch.empty(0, dtype=torch.float64))
attempt(torch.masked_select, x, x > 1, out=torch.empty(0, dtype=torch.float64))
attempt(torch.dot, x[0], x[0], out=torch.empty(0, dtype=torch.float64))
attempt(torch.cat, [x, x], out=torch.empty(0, dtype=torch.int64))
attempt(torch.nonzero, x, out=torch.empty(0))
for f in (torch.relu, torch.isnan, torch.clone, torch.positive, torch.t, torch.trace, torch.nn.functional.silu):
    attempt(f, x, out=torch.empty(0))
halves = torch.empty(2), torch.empty(2)
print(torch.split_copy(torch.arange(4.0), 2, out=halves), halves)
attempt(torch.diagonal_copy, x, out=torch.empty(0))
print(torch.nonzero(x, as_tuple=False, out=torch.empty(0, dtype=torch.int64)))
