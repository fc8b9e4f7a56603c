import torch

w = torch.ones(3, requires_grad=True)
for change in (lambda: w.add_(1), lambda: w.__setitem__(0, 5.0), lambda: w[1:].mul_(2), lambda: w.zero_(), lambda: w.fill_(2)):
    try:
        change()
    except RuntimeError as e:
        print(type(e).__name__, e)
with torch.no_grad():
    w[0] = 5.0
    w.mul_(2)
print(w, w._version)
y = w * 1
y += w
y[0] = 0
print(y)
y.sum().backward()
print(w.grad)
x = torch.zeros(3)
x += w
print(x.requires_grad, x.is_leaf, x.grad_fn.name())
x.sum().backward()
print(w.grad)
p = torch.ones(2, requires_grad=True)
p -= 0.1 * p.detach()
