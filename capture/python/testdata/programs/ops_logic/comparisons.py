import torch

a, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([3.0, 2.0, 1.0])
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    f = getattr(torch, name)
    print(name, f(a, b), f(a, 2), getattr(a, name)(b), getattr(a, name)(2.0), getattr(a.clone(), name + "_")(b), getattr(a.clone(), name + "_")(2))
print(torch.greater(a, b), torch.greater_equal(a, b), torch.less(a, 2), torch.less_equal(a, b), torch.not_equal(a, b), a.greater(2), a.less_equal(b), a.not_equal(2), a.greater_equal(3))
print(torch.equal(a, a), a.equal(b), torch.equal(a, torch.ones(2)), torch.allclose(a, a + 1e-9), a.allclose(b, atol=5), torch.isclose(a, b, rtol=0.5), a.isclose(a + 0.1, atol=0.2), torch.allclose(torch.tensor(float("nan")), torch.tensor(float("nan")), equal_nan=True))
s = torch.tensor([0.0, float("inf"), -float("inf"), float("nan"), -1.0])
for name in ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "isreal", "signbit"):
    print(name, getattr(torch, name)(s), getattr(s, name)())
print(torch.isin(a, b[:2]), torch.isin(a, 2.0), torch.isin(3.0, a), torch.isin(a, torch.tensor([1.0]), invert=True), torch.isin(a, b, assume_unique=True))
out = torch.empty(3, dtype=torch.bool)
torch.gt(a, b, out=out)
print(out, torch.is_floating_point(a), a.is_floating_point(), torch.is_nonzero(torch.tensor(1)), a.is_same_size(b), torch.is_same_size(a, s) if hasattr(torch, "is_same_size") else "", torch.is_tensor(a), torch.is_complex(a))
print(torch.tensor([1, 2]) == torch.tensor([1.0, 2.5]), torch.tensor([True]) == 1)
for bad in (lambda: a.eq(torch.ones(2)), lambda: torch.allclose(a, a.double()), lambda: torch.isclose(a, a, rtol=-1), lambda: torch.is_nonzero(a), lambda: torch.equal(a, 1), lambda: torch.gt(a, "b")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
