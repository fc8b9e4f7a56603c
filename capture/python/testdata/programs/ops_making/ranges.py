import torch

print(torch.arange(4), torch.arange(1, 4), torch.arange(0, 1, 0.25), torch.arange(5, 0, -2), torch.arange(3.0), torch.arange(2, dtype=torch.float64), torch.arange(start=1, end=5, step=2), torch.arange(1.5, 4))
print(torch.linspace(0, 1, 5), torch.linspace(-1, 1, steps=3), torch.linspace(0, 10, 4, dtype=torch.int64), torch.linspace(0, 1, 1), torch.logspace(0, 2, 3), torch.logspace(0, 3, 4, base=2), torch.range(1, 3))
print(torch.eye(3), torch.eye(2, 4, dtype=torch.int32), torch.eye(3, 1))
print(torch.tril_indices(3, 3), torch.triu_indices(3, 2, offset=1), torch.tril_indices(2, 3, -1))
print(torch.hann_window(5), torch.hann_window(4, periodic=False)[:3], torch.hamming_window(5), torch.hamming_window(4, False), torch.hamming_window(4, True, 0.5, 0.4), torch.hann_window(0), torch.hann_window(1))
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])), torch.combinations(torch.tensor([1, 2, 3])), torch.combinations(torch.tensor([1, 2]), r=2, with_replacement=True), torch.vander(torch.tensor([1.0, 2.0, 3.0])), torch.vander(torch.tensor([1, 2]), N=4, increasing=True))
print(torch.arange(3, requires_grad=False), torch.arange(3.0, requires_grad=True), torch.linspace(0, 1, 3, requires_grad=True))
for bad in (lambda: torch.arange(0, 5, 0), lambda: torch.arange(5, 0), lambda: torch.linspace(0, 1), lambda: torch.linspace(0, 1, -1), lambda: torch.eye(-1), lambda: torch.arange(3, requires_grad=True), lambda: torch.arange(), lambda: torch.arange("a"), lambda: torch.hann_window(-1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
