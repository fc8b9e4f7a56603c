"""A tensor of the default type, named by the class of all tensors."""
import torch

counts = torch.tensor([28, 8, -3])
print(counts.type(torch.Tensor), counts.type("torch.DoubleTensor"))
y = torch.ones(2, requires_grad=True)
print(y.type(torch.Tensor) is y, y.double().type(torch.Tensor).grad_fn)
torch.set_default_dtype(torch.float64)
print(counts.type(torch.Tensor).dtype, y.type(torch.Tensor).dtype)
try:
    counts.type(torch.nn.Parameter)
except ValueError as e:
    print(e)
