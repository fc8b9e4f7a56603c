import torch

print(torch.tensor([[1, 2], [3, 4]]), torch.tensor(5), torch.tensor((1.0, 2)), torch.tensor([True, False]))
print(torch.zeros(2, 3), torch.ones((2,)), torch.full((2, 2), 7), torch.full((2,), 1.5), torch.eye(2, 3))
print(torch.arange(5), torch.arange(1, 2, 0.25), torch.arange(5, 0, -2), torch.linspace(0, 1, 5), torch.logspace(0, 2, 3))
x = torch.tensor([1.5, 2.5])
print(torch.zeros_like(x), torch.ones_like(x, dtype=torch.int32), torch.full_like(x, 3), x.new_zeros(2), x.new_tensor([1, 2]), x.new_full((2,), 1), x.new_ones(1))
print(torch.as_tensor([1, 2]), torch.as_tensor(x) is x, torch.Tensor([1, 2]), torch.FloatTensor([1]), torch.LongTensor([1, 2]), torch.Tensor(2, 0).shape)
print(torch.empty(2, 3).shape, torch.empty_like(x).dtype, torch.scalar_tensor(2.0), torch.tensor([[]]).shape)
y = torch.tensor(x)
print(y)
print(torch.tensor([torch.tensor(1), torch.tensor(2)]), torch.tensor([x[0].item(), 3]), torch.tensor(range(3)))
print(torch.tril(torch.ones(3, 3)), torch.triu_indices(2, 2), torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
print(torch.from_numpy is not None, torch.is_tensor(x), torch.is_tensor([1]), isinstance(x, torch.Tensor), type(x), type(x).__name__, x.type())
