import warnings

import torch

x = torch.ones(2, requires_grad=True)
y = x * 2


def look(t):
    return t.grad


print(look(y))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    look(y)
    print([(w.category.__name__, str(w.message)[:60]) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        look(y)
    except UserWarning as e:
        print(type(e).__name__, str(e)[:60])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(look(y))
