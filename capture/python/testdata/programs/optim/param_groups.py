import torch

a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
opt = torch.optim.SGD([{"params": [a], "lr": 1.0}, {"params": b, "momentum": 0.5}], lr=0.1)
print(opt)
print(len(opt.param_groups), [g["lr"] for g in opt.param_groups])
(a.sum() + 2 * b.sum()).backward()
opt.step()
print(a, b, opt.state)
opt.add_param_group({"params": [c], "lr": 0.01, "note": "late"})
print(opt.param_groups[2].keys(), opt.param_groups[2]["note"])
(c * 3).sum().backward()
opt.step()
print(a, b, c)
opt.param_groups[0]["lr"] = 0.5
opt.step()
print(a)
d = {"params": [torch.zeros(1, requires_grad=True)]}
torch.optim.Adam([d])
print(sorted(k for k in d if k != "params"))
