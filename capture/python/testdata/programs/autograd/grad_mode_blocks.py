import torch

x = torch.ones(1, requires_grad=True)
prev = torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (x * 2).requires_grad)
torch.set_grad_enabled(True)
with torch.no_grad():
    y = x * 2
    print(y.requires_grad, y.is_leaf, y.grad_fn)
    with torch.enable_grad():
        z = x * 2
    print(z.requires_grad, torch.is_grad_enabled())
with torch.set_grad_enabled(False):
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
try:
    with torch.no_grad():
        raise ValueError("inside")
except ValueError as e:
    print(e, torch.is_grad_enabled())
with torch.no_grad():
    x += 1
    v = x[0]
print(x, v.requires_grad)
guard = torch.no_grad()
with guard:
    with guard:
        print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
w = torch.ones(1)
with torch.no_grad():
    w.requires_grad_()
    a = torch.ones(1, requires_grad=True)
print(w.requires_grad, a.requires_grad)
with torch.autograd.set_multithreading_enabled(False):
    (w * 2).backward()
print(w.grad)
try:
    torch.set_grad_enabled("yes")
except TypeError as e:
    print(str(e)[:80])
