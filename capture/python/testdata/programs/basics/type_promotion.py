import torch

kinds = [torch.bool, torch.uint8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64]
for a in kinds:
    print(a, [str((torch.ones(1, dtype=a) + torch.ones(1, dtype=b)).dtype)[6:] for b in kinds])
for a in kinds:
    print(a, [str((torch.ones(1, dtype=a) * s).dtype)[6:] for s in (True, 2, 2.5)])
print(torch.result_type(torch.ones(1, dtype=torch.int8), 1.0), torch.promote_types(torch.int32, torch.float16), torch.can_cast(torch.float32, torch.int32))
print((torch.ones(2) + torch.tensor(1.0, dtype=torch.float64)).dtype, (torch.ones(2, dtype=torch.int32) + torch.tensor(1.5)).dtype)
print(torch.tensor([1, 2.5]).dtype, torch.tensor([True, 2]).dtype, torch.get_default_dtype())
torch.set_default_dtype(torch.float64)
print(torch.tensor([1.5]).dtype, torch.ones(1).dtype, torch.arange(3).dtype, torch.arange(3.0).dtype)
torch.set_default_dtype(torch.float32)
print(torch.ones(2).double().dtype, torch.ones(2).to(torch.int32), torch.ones(2).type(torch.float16).dtype, torch.ones(2).type(), torch.tensor([2.7]).long(), torch.ones(1).to(torch.zeros(1, dtype=torch.int8)).dtype)
torch.ones(2).type("torch.NoSuchTensor")
