import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, device=device)
print(device, repr(device), x.device, x.to(device) is x, x.cpu() is x, x.is_cuda, x.get_device())
print(torch.device("cuda:1"), torch.device("cuda", 1).index, torch.device(type="cpu", index=0), torch.device("cpu") == torch.device("cpu", 0))
print(torch.cuda.device_count(), torch.backends.mps.is_available(), torch.backends.cudnn.benchmark, torch.cuda.is_initialized())
torch.cuda.manual_seed_all(3)
torch.cuda.empty_cache()
for bad in (lambda: torch.device("foo"), lambda: torch.device("cpu:x"), lambda: torch.device(""), lambda: torch.device("cuda:0", 1), lambda: x.cuda(), lambda: x.to("cuda"), lambda: torch.zeros(1, device="cuda:0"), lambda: torch.cuda.current_device(), lambda: x.to("mps"), lambda: x.to(0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
torch.randn(2, device="cuda")
