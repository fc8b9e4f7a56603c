import torch

x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = x * 2
    print(y.requires_grad, torch.is_grad_enabled())
    with torch.enable_grad():
        z = x * 2
        print(z.requires_grad)
with torch.set_grad_enabled(False):
    print((x * 2).requires_grad)


@torch.no_grad()
def frozen(v):
    return v * 3


@torch.enable_grad()
def live(v):
    return v * 3


print(frozen(x).requires_grad, frozen.__name__)
with torch.no_grad():
    print(live(x).requires_grad)
torch.set_grad_enabled(False)
print((x + 1).requires_grad)
torch.set_grad_enabled(True)
with torch.inference_mode():
    i = x * 2
    print(i.requires_grad, i.is_inference(), torch.is_inference_mode_enabled())
try:
    (i * x).sum().backward()
except RuntimeError as e:
    print(e)
try:
    i.add_(1)
except RuntimeError as e:
    print(e)


@torch.no_grad()
def numbers():
    for n in range(2):
        yield n, torch.is_grad_enabled()


for n, on in numbers():
    print(n, on, torch.is_grad_enabled())
