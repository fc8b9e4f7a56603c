import torch
from torch.testing import make_tensor

torch.manual_seed(0)
print(make_tensor((3,), dtype=torch.float32, device="cpu"))
print(make_tensor(2, 2, dtype=torch.int64, device="cpu"))
print(make_tensor((4,), dtype=torch.bool, device="cpu"))
print(make_tensor((3,), dtype=torch.float64, device="cpu", low=0, high=1, requires_grad=True))
t = make_tensor((2, 3), dtype=torch.float32, device="cpu", noncontiguous=True)
print(t.shape, t.is_contiguous(), t.stride())
print(make_tensor((5,), dtype=torch.uint8, device="cpu", low=3, high=5))
print((make_tensor((50,), dtype=torch.int32, device="cpu", exclude_zero=True) == 0).any())
for kwargs in (
    {"dtype": torch.int64, "requires_grad": True},
    {"dtype": torch.float32, "low": 2, "high": 1},
    {"dtype": torch.float32, "low": float("nan")},
    {"dtype": torch.uint8, "low": -5, "high": 0},
    {"dtype": torch.float32, "noncontiguous": True, "memory_format": torch.contiguous_format},
):
    try:
        make_tensor((2,), device="cpu", **kwargs)
    except ValueError as e:
        print(e)
