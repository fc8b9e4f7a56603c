import torch

for d in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    print(torch.finfo(d))
for d in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
    print(torch.iinfo(d), torch.iinfo(d).bits, torch.iinfo(d).max)
print(torch.finfo().eps, torch.finfo(torch.double).tiny, torch.finfo(torch.half).smallest_normal, torch.finfo(torch.float32).resolution)
print(torch.finfo(torch.float32) == torch.finfo(torch.float), torch.finfo(torch.float32).dtype, torch.finfo(torch.float32).bits)
for bad in (lambda: torch.finfo(torch.int32), lambda: torch.iinfo(torch.float32), lambda: torch.iinfo(torch.bool), lambda: torch.finfo("float32"), lambda: torch.iinfo()):
    try:
        bad()
    except TypeError as e:
        print(e)
torch.iinfo(torch.float64)
