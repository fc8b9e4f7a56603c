import torch
from torch.autograd import gradcheck, gradgradcheck

a = torch.tensor([[2.0, 0.5], [0.3, 1.5]], dtype=torch.float64, requires_grad=True)
b = torch.stack((a.detach(), a.detach() + torch.eye(2, dtype=torch.float64))).requires_grad_()
for f in (torch.inverse, torch.linalg.inv, lambda m: m.inverse().mT @ m):
    for m in (a, b):
        print(gradcheck(f, m), gradgradcheck(f, m))
print(gradcheck(torch.inverse, a, check_forward_ad=True))
