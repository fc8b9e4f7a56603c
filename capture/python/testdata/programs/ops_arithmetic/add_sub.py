import torch

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([0.5, -1.0, 4.0], requires_grad=True)
print(torch.add(a, b), torch.add(a, b, alpha=2), torch.add(a, 10), a.add(b, alpha=-1), torch.add(input=a, other=b))
print(torch.sub(a, b), torch.subtract(a, b, alpha=3), a.sub(2), a.subtract(b), torch.rsub(a, b), torch.rsub(a, 1, alpha=2))
print(torch.addcmul(a, b, b, value=0.5), a.addcmul(b, b), torch.addcdiv(a, b, a, value=2.0), a.addcdiv(a, b))
out = torch.empty(3)
r = torch.add(a.detach(), 1, out=out)
print(out, r is out)
torch.sub(torch.ones(3), torch.ones(3), alpha=2, out=out)
print(out)
c = torch.zeros(3)
print(c.add_(b, alpha=2), c.sub_(1), c.subtract_(torch.ones(3)), c.addcmul_(a, b, value=0.1), c.addcdiv_(a, b))
c.sum().backward()
print(a.grad, b.grad)
i = torch.tensor([1, 2])
print(torch.add(i, i, alpha=2), i.add(1.5), torch.sub(i, 3), i.rsub if hasattr(i, "rsub") else "no rsub")
for bad in (
    lambda: torch.add(i, i, alpha=1.5),
    lambda: torch.add(torch.tensor(True), torch.tensor(True), alpha=2.5),
    lambda: torch.sub(torch.tensor(True), True),
    lambda: torch.add(a, b, out=out),
    lambda: torch.add(torch.ones(2), torch.ones(3)),
    lambda: i.add_(0.5),
    lambda: torch.addcmul(a, b, "x"),
    lambda: torch.addcdiv(i, i, i),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
