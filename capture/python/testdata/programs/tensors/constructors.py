import torch

print(torch.Tensor([1, 2]), torch.Tensor(2, 3).shape, torch.Tensor().shape, torch.Tensor([[1.5]]), torch.Tensor(torch.Size([2])).shape)
print(torch.FloatTensor([1, 2]), torch.LongTensor([1, 2]), torch.IntTensor([3]), torch.BoolTensor([1, 0]), torch.ByteTensor([7]), torch.DoubleTensor([0.5]))
x = torch.tensor([1, 2])
print(x.new([3, 4]), x.new(2).shape, x.new_tensor([1.5]), x.new_zeros(2), x.new_ones((1, 2)), x.new_full((2,), 7), x.new_empty(3).shape, x.new_zeros(1, dtype=torch.half))
print(isinstance(torch.ones(1), torch.FloatTensor), isinstance(x, torch.LongTensor), isinstance(x, torch.Tensor), x.type(), torch.typename(x))
for bad in (lambda: torch.Tensor("a"), lambda: torch.Tensor(1.5), lambda: torch.LongTensor(torch.ones(1)), lambda: torch.Tensor(-1), lambda: torch.Tensor(None)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
