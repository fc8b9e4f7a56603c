import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
opt = torch.optim.SGD(net.named_parameters(), lr=0.1)
print(opt.param_groups[0]["param_names"])
print(opt.state_dict())
net(torch.ones(4, 2)).sum().backward()
opt.step()
print([p.shape for p in opt.param_groups[0]["params"]])
try:
    opt.add_param_group({"params": [torch.ones(1, requires_grad=True)]})
except ValueError as e:
    print(e)
opt.add_param_group({"params": [("extra", torch.ones(1, requires_grad=True))]})
print(opt)
