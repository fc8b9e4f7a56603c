import torch
from torch.optim import Optimizer
from torch.optim.optimizer import required


class Signed(Optimizer):
    def __init__(self, params, lr=required, power=1):
        super().__init__(params, dict(lr=lr, power=power))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                state["count"] = state.get("count", 0) + 1
                p.add_(p.grad.sign().pow(group["power"]), alpha=-group["lr"])


p = torch.tensor([1.0, -1.0], requires_grad=True)
opt = Signed([p], lr=0.25)
for _ in range(3):
    opt.zero_grad()
    (p**2).sum().backward()
    opt.step()
print(p, opt.state[p], opt)
print(opt.state_dict())
sched = torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)
opt.step()
sched.step()
print(opt.param_groups[0]["lr"])
try:
    Signed([p])
except ValueError as e:
    print(e)
