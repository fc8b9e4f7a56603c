import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

p = torch.ones(1, requires_grad=True)
p.grad = torch.ones(1)
opt = torch.optim.SGD([p], lr=0.1)
handles = [
    opt.register_step_pre_hook(lambda o, args, kwargs: print("pre", type(o).__name__, len(args), kwargs)),
    opt.register_step_post_hook(lambda o, args, kwargs: print("post", p.item())),
    register_optimizer_step_pre_hook(lambda o, args, kwargs: print("global pre")),
    register_optimizer_step_post_hook(lambda o, args, kwargs: print("global post")),
]
opt.step()
opt.step(closure=None)
for h in handles:
    h.remove()
opt.step()
print(p)
opt.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: torch.tensor(7.0)), {}))
print(opt.step())
opt.register_state_dict_pre_hook(lambda o: print("state_dict pre"))
opt.register_state_dict_post_hook(lambda o, sd: {**sd, "extra": 1})
sd = opt.state_dict()
print(sorted(sd))
opt.register_load_state_dict_pre_hook(lambda o, sd: print("load pre", sorted(sd)))
opt.register_load_state_dict_pre_hook(lambda o, sd: print("first"), prepend=True)
opt.register_load_state_dict_post_hook(lambda o: print("load post"))
opt.load_state_dict(sd)
