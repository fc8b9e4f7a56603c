import torch

print(torch.get_default_dtype(), torch.tensor(1.0).dtype, torch.ones(1).dtype)
torch.set_default_dtype(torch.float64)
print(torch.get_default_dtype(), torch.tensor(1.0).dtype, torch.zeros(1).dtype, torch.arange(1.0), torch.tensor([1, 2]) / 2, torch.Tensor([1]).dtype, torch.finfo().dtype, torch.tensor([1]).float())
torch.set_default_dtype(torch.float16)
print(torch.ones(2), torch.tensor(1) * 1.5)
torch.set_default_dtype(torch.float32)
print(torch.ones(1) * torch.ones(1, dtype=torch.float64), torch.ones(1).dtype)
for bad in (torch.int32, "float32", None):
    try:
        torch.set_default_dtype(bad)
    except TypeError as e:
        print(e)
