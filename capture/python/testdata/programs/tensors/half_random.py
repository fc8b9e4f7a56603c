import torch

for dtype in (torch.float16, torch.bfloat16):
    torch.manual_seed(3)
    print(torch.empty(20, dtype=dtype).normal_().tolist())
    print(torch.randn(3, dtype=dtype).tolist(), torch.rand(4, dtype=dtype).tolist())
    print(torch.empty(16, dtype=dtype).normal_(1, 2).tolist())
    print(torch.empty(3, 16, dtype=dtype).t().normal_().sum(0).tolist())
    print(torch.nn.init.normal_(torch.empty(33, dtype=dtype), std=0.02).abs().max().item())
