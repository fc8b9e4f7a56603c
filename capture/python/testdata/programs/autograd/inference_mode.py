import torch

x = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    a = x * 2
    b = torch.ones(2)
    print(a.is_inference(), b.is_inference(), x.is_inference(), a.requires_grad, torch.is_grad_enabled())
    print(torch.is_inference_mode_enabled(), x.view(2).is_inference())
    a.add_(1)
    with torch.inference_mode(False):
        print(torch.is_inference_mode_enabled(), (x * 2).requires_grad)
for f in (
    lambda: a.add_(1),
    lambda: a._version,
    lambda: x * a,
    lambda: a.requires_grad_(),
    lambda: a[0].mul_(2),
):
    try:
        print(f())
    except RuntimeError as e:
        print(e)
print((a + 1).is_inference(), (a.clone() * x).requires_grad)


@torch.inference_mode()
def f(t):
    return t * 2


@torch.inference_mode
def g(t):
    return t * 2


print(f(x).is_inference(), g(x).is_inference(), torch.is_inference_mode_enabled())
with torch.inference_mode(mode=False):
    print((x * 2).requires_grad)
x.view(2).add(1).sum().backward()
print(x.grad)
