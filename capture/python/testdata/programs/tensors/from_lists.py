import torch

for data in (3, 2.5, True, [1, 2], [1, 2.0], [True, 2], [[1], [2]], [], [[]], (1, 2), [(1, 2), (3, 4)], range(3), [torch.tensor(1), 2], [torch.tensor(1.5)], [[torch.tensor(1), torch.tensor(2)]]):
    t = torch.tensor(data)
    print(t, t.dtype, tuple(t.shape))
print(torch.tensor([1, 2], dtype=torch.float64), torch.tensor([1.7, -1.7], dtype=torch.int32), torch.tensor([0, 2], dtype=torch.bool), torch.tensor(1.0, requires_grad=True))
for bad in (lambda: torch.tensor([[1, 2], [3]]), lambda: torch.tensor([1, [2]]), lambda: torch.tensor([[1], 2]), lambda: torch.tensor("abc"), lambda: torch.tensor(["a"]), lambda: torch.tensor(None), lambda: torch.tensor([None]), lambda: torch.tensor([1, 2], requires_grad=True), lambda: torch.tensor({1: 2}), lambda: torch.tensor(), lambda: torch.tensor(300, dtype=torch.uint8), lambda: torch.tensor([torch.ones(2)]), lambda: torch.tensor(2**70), lambda: torch.tensor([1], dtype="float")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
