import torch

p = torch.ones(2, requires_grad=True)
opt = torch.optim.SparseAdam([p], lr=0.1)
print(opt)
opt.step()
p.grad = torch.ones(2)
for f in (opt.step, lambda: torch.optim.SparseAdam([p], lr=0.0), lambda: torch.optim.SparseAdam([p], betas=(1.0, 0.5))):
    try:
        f()
    except (RuntimeError, ValueError) as e:
        print(e)
