import torch

a = torch.ones(2)
b = torch.ones(2, requires_grad=True)
c = b + 1
d = c.detach()
e = torch.ones(2, requires_grad=True) * 1
for t in (a, b, c, d, e, b.data, b.view(2), b.clone(), b.clone().detach().requires_grad_()):
    print(t.is_leaf, t.requires_grad, t.grad_fn is not None, t.output_nr)
a.requires_grad = True
print(a.is_leaf, a)
a.requires_grad_(False)
print(a.requires_grad)
for bad in (lambda: setattr(c, "requires_grad", False), lambda: torch.ones(2, dtype=torch.long).requires_grad_(), lambda: torch.tensor([1], requires_grad=True), lambda: setattr(c, "is_leaf", True)):
    try:
        bad()
    except Exception as err:
        print(type(err).__name__, err)
c.retain_grad()
print(c.retains_grad, b.retains_grad)
c.sum().backward()
print(c.grad, b.grad)
with torch.no_grad():
    f = b * 2
print(f.requires_grad, f.is_leaf)
b.grad = None
print(b.grad)
b.grad = torch.full((2,), 3.0)
print(b.grad)
for wrong in (torch.ones(3), torch.ones(2, dtype=torch.float64), 1.0):
    try:
        b.grad = wrong
    except Exception as err:
        print(type(err).__name__, err)
