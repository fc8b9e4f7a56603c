import torch
from torch.testing import assert_close


def attempt(*args, **kwargs):
    try:
        assert_close(*args, **kwargs)
        print("close")
    except Exception as e:
        print(type(e).__name__, e)


a = torch.tensor([1.0, 2.0, 3.0])
attempt(a, a + 1e-7)
attempt(a, torch.tensor([1.0, 2.5, 3.0]))
attempt(a, a.double())
attempt(a, a.double(), check_dtype=False)
attempt(a, torch.ones(2))
attempt(torch.tensor(1.0), torch.tensor(2.0))
attempt(torch.tensor([1, 2]), torch.tensor([1, 3]))
attempt(torch.tensor([True]), torch.tensor([False]))
attempt(1, 2)
attempt(1.0, 1.0 + 1e-9)
attempt(1, 1.0)
attempt(True, False)
attempt(None, a)
attempt([a, a], [a, a + 1])
attempt({"x": a, "y": [1.0]}, {"x": a, "y": [2.0]})
attempt([a], [a, a])
attempt({"x": a}, {"y": a})
attempt(a, "text")
attempt(float("nan"), float("nan"))
attempt(torch.tensor(float("nan")), torch.tensor(float("nan")), equal_nan=True)
attempt(a, a + 0.01, rtol=0.0, atol=0.1)
attempt(a, a + 0.01, rtol=0.1)
attempt(a, a + 1, rtol=0, atol=0)
attempt(a, a + 1, msg="my message")
attempt(a, a + 1, msg=lambda m: "before: " + m)
attempt(torch.ones(2, 3), torch.ones(3, 2).t(), check_stride=True)
attempt(torch.zeros(2, 2), torch.eye(2))
attempt((1, 2.0, a), (1, 2.0, a))
