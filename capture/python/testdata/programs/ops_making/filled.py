import torch

print(torch.zeros(2), torch.zeros(2, 2), torch.zeros((1, 2)), torch.zeros([2], dtype=torch.int32), torch.zeros(size=(2,)), torch.zeros(torch.Size([1, 1])), torch.zeros(()))
print(torch.ones(2, dtype=torch.bool), torch.ones(1, 2, requires_grad=True), torch.full((2,), 3), torch.full((2,), 3.5), torch.full((1,), True), torch.full(size=(2,), fill_value=1, dtype=torch.float64), torch.full((2,), torch.tensor(7)))
x = torch.tensor([[1.0, 2.0]])
print(torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 5), torch.zeros_like(x, dtype=torch.long), torch.ones_like(x, requires_grad=True), torch.full_like(torch.tensor([1, 2]), 2), torch.empty_like(x).shape, torch.empty(2, 3).dtype, torch.empty_strided((2, 3), (1, 2)).stride(), torch.scalar_tensor(3), torch.scalar_tensor(True, dtype=torch.bool))
print(x.new_zeros(2, 2), x.new_ones((2,)), x.new_full((2,), 4), x.new_empty(3).shape, x.new_tensor([1, 2, 3]), x.new_tensor(x), x.new_zeros((1,), dtype=torch.int8))
print(torch.tensor([1, 2]).new_tensor([1.5]), x.double().new_ones(1), x.new_tensor([1.0], requires_grad=True))
print(torch.as_tensor([1.0, 2.0]), torch.as_tensor(x) is x, torch.as_tensor(x, dtype=torch.float64), torch.asarray([1, 2, 3]), torch.asarray(x) is x, torch.asarray(x, copy=True) is x, torch.asarray(3.5), torch.asarray([True]))
y = torch.empty(2, 2)
print(y.fill_(3), y.zero_(), y.fill_(torch.tensor(2.5)), torch.fill(y, 1), torch.fill(y, torch.tensor(4)), y.fill_diagonal_(9), torch.zeros(3, 2).fill_diagonal_(1, wrap=True), torch.zeros(4, 2).fill_diagonal_(1, wrap=True))
print(torch.tensor(1.0), torch.tensor([[]]), torch.tensor([1, 2], dtype=torch.float16), torch.tensor([1.5], dtype=torch.int64) if False else "", torch.tensor([True, 2, 3.5]), torch.tensor((1, (2,))[0]))
print(torch.block_diag(torch.ones(2, 1), torch.tensor(5.0), torch.tensor([1.0, 2.0])))
for bad in (lambda: torch.zeros(2, -1), lambda: torch.ones(2, dtype=torch.int64, requires_grad=True), lambda: torch.full((2,), "x"), lambda: torch.full(2, 1), lambda: torch.zeros(1.5), lambda: torch.zeros(2, dtype="float32"), lambda: torch.zeros(2, device="nowhere"), lambda: y.new_zeros(), lambda: torch.tensor([[1, 2], [3]]), lambda: torch.tensor({"a": 1}), lambda: torch.tensor()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
