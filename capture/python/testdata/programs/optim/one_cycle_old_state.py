import torch
from torch.optim.lr_scheduler import OneCycleLR


def make(strategy):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1, momentum=0.9)
    return optimizer, OneCycleLR(optimizer, max_lr=0.5, total_steps=6, anneal_strategy=strategy)


def run(optimizer, scheduler, steps):
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
    return [round(group["lr"], 6) for group in optimizer.param_groups]


optimizer, scheduler = make("linear")
print(run(optimizer, scheduler, 2))
state = scheduler.state_dict()
print(sorted(state))

# What versions before 2.0 saved: the function itself.
state["anneal_func"] = scheduler._annealing_cos
del state["_anneal_func_type"]
optimizer, scheduler = make("linear")
del scheduler._anneal_func_type
scheduler.load_state_dict(state)
print(run(optimizer, scheduler, 2))
print(type(scheduler), scheduler.last_epoch)
