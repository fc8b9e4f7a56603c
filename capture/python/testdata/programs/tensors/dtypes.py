import pickle

import torch

for d in (torch.float32, torch.half, torch.bfloat16, torch.double, torch.uint8, torch.int8, torch.short, torch.int, torch.long, torch.bool):
    print(d, d.is_floating_point, d.is_complex, d.is_signed, d.itemsize, torch.empty(0, dtype=d).element_size())
print(torch.float is torch.float32, torch.cfloat is torch.complex64, torch.float32.to_complex(), torch.complex128.to_real())
print(pickle.loads(pickle.dumps(torch.int16)) is torch.int16, {torch.float32: 1}[torch.float], hash(torch.int) == hash(torch.int32))
try:
    torch.dtype()
except TypeError as e:
    print(e)
