import warnings

import torch


def halve(x):
    if x.dtype != torch.float32:
        warnings.warn("halving %s" % x.dtype, stacklevel=2)
    return x / 2


for dtype in (torch.float32, torch.int64, torch.float64, torch.int64):
    print(halve(torch.ones(2, dtype=dtype)))
warnings.warn("almost done", DeprecationWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    halve(torch.ones(1, dtype=torch.int32))
    halve(torch.ones(1, dtype=torch.int32))
print([(w.category.__name__, str(w.message), w.lineno) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    halve(torch.ones(1, dtype=torch.int8))
