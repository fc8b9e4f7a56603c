from concurrent.futures import ThreadPoolExecutor

import torch


def square(x):
    if x.dim():
        raise ValueError("not a scalar: %s" % (tuple(x.shape),))
    return x * x


with ThreadPoolExecutor(2) as pool:
    values = list(pool.map(square, [torch.tensor(float(i)) for i in range(5)]))
    future = pool.submit(square, torch.ones(2))
total = torch.stack(values).sum()
print(values, total)
print(repr(future.exception()))
future.result()
