import torch

types = torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64
for a in types:
    print(a, [str(torch.promote_types(a, b))[6:] for b in types])
i, f, h = torch.ones(2, dtype=torch.int32), torch.ones(2), torch.ones(2, dtype=torch.half)
print((i + 1).dtype, (i + 1.5).dtype, (i + True).dtype, (h + 1.5).dtype, (h + f).dtype, (i + torch.tensor(1.5)).dtype, (f + torch.tensor(1.5, dtype=torch.float64)).dtype, (i / 2).dtype, (i // 2).dtype, (i * torch.tensor(True)).dtype)
print(torch.result_type(i, 1.0), torch.result_type(torch.tensor(1), f), torch.can_cast(torch.float32, torch.int32), torch.can_cast(torch.int32, torch.float16), torch.cat([i, f]).dtype, torch.where(torch.tensor([True, False]), i, f).dtype, torch.stack([i, h]).dtype)
for bad in (lambda: i.add_(1.5), lambda: i.mul_(f), lambda: torch.add(i, f, out=torch.empty(2, dtype=torch.int64)), lambda: torch.promote_types(1, 2), lambda: i @ f[:, None], lambda: f.dot(f.double())):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
