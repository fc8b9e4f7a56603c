import torch

x = torch.tensor([[3.0, 1.0], [2.0, 4.0]])
r = x.max(1)
print(type(r), r.values, r.indices, r[0] is r.values, len(r), r._fields if hasattr(r, "_fields") else "no fields")
values, indices = x.sort(descending=True)
print(values, indices, x.median(0), x.mode(1), x.topk(1), x.kthvalue(2), x.min(0).indices, torch.aminmax(x), torch.std_mean(x), torch.linalg.slogdet(x), x.cummax(0), torch.frexp(x))
print(isinstance(r, tuple), isinstance(r, torch.return_types.max), r == tuple(r) if False else "", torch.return_types.sort.__name__)
for bad in (lambda: r.nothing, lambda: setattr(r, "values", 1), lambda: r[5]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
