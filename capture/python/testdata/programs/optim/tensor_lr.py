import torch

lr = torch.tensor(0.1)
for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad):
    p = torch.tensor([1.0, 2.0], requires_grad=True)
    opt = cls([p], lr=lr)
    for _ in range(3):
        opt.zero_grad()
        (p**2).sum().backward()
        opt.step()
    print(cls.__name__, p, opt.param_groups[0]["lr"])
sched = torch.optim.lr_scheduler.ExponentialLR(torch.optim.SGD([p], lr=torch.tensor(0.5)), 0.5)
sched.optimizer.step()
sched.step()
print(sched.get_last_lr(), sched.optimizer.param_groups[0]["lr"], sched.base_lrs)
