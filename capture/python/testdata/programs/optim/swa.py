import torch
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_avg_fn, get_ema_multi_avg_fn, get_swa_multi_avg_fn, update_bn

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
models = {
    "swa": AveragedModel(net),
    "ema": AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9)),
    "one": AveragedModel(net, avg_fn=get_ema_avg_fn(0.9)),
    "multi": AveragedModel(net, multi_avg_fn=get_swa_multi_avg_fn()),
}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = SWALR(opt, swa_lr=0.05, anneal_epochs=3)
x, y = torch.randn(16, 3), torch.randn(16, 1)
for _ in range(4):
    opt.zero_grad()
    ((net(x) - y) ** 2).mean().backward()
    opt.step()
    for m in models.values():
        m.update_parameters(net)
    sched.step()
    print(sched.get_last_lr())
opt.zero_grad()
for name, m in models.items():
    print(name, m.n_averaged, m.module[0].bias, m(x[:2]).flatten())
update_bn(torch.utils.data.DataLoader(x, batch_size=4), models["swa"])
print(models["swa"].module[1].running_mean, models["swa"].module[1].num_batches_tracked)
print(list(models["swa"].state_dict())[:3])
try:
    get_ema_avg_fn(1.5)
except ValueError as e:
    print(e)
