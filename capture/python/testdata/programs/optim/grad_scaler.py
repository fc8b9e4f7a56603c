import warnings

import torch

scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2)
p = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([p], lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = (p**2).sum() if i != 3 else (p / 0).sum()
    scaled = scaler.scale(loss)
    scaled.backward()
    if i % 2:
        scaler.unscale_(opt)
        print(p.grad)
    scaler.step(opt)
    scaler.update()
    print(i, scaled.item(), p, scaler.get_scale(), scaler.state_dict())
print(scaler.scale([p, (p,)]))
for f in (lambda: scaler.unscale_(opt) or scaler.unscale_(opt), lambda: scaler.step(opt) or scaler.step(opt), lambda: scaler.step(opt, closure=lambda: 1), lambda: torch.amp.GradScaler("cpu").step(opt), lambda: torch.amp.GradScaler("cpu", growth_factor=0.5)):
    try:
        f()
    except (RuntimeError, AssertionError) as e:
        print(type(e).__name__, e)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    off = torch.amp.GradScaler()
    print(off.is_enabled(), off.scale(p) is p, off.get_scale(), off.state_dict(), off.update())
    with torch.autocast("cuda"):
        print((p @ p).dtype)
    with torch.autocast("cpu", dtype=torch.float64):
        print((p @ p).dtype)
    with torch.autocast("cpu", enabled=False):
        print((p @ p).dtype)
    torch.cpu.amp.GradScaler(enabled=False)
    print([(x.category.__name__, str(x.message)) for x in w])


@torch.autocast("cpu", enabled=False)
def f(x):
    return x * 2


print(f(p))
for args in ((3,), ("tpu",)):
    try:
        torch.autocast(*args)
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
