import torch

torch.manual_seed(0)
print(torch.poisson(torch.tensor([0.5, 3.0, 20.0, 100.0])), torch.poisson(torch.full((4,), 4.0)), torch.binomial(torch.full((4,), 10.0), torch.full((4,), 0.3)), torch.binomial(torch.full((4,), 100.0), torch.full((4,), 0.7)))
r = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.poisson(r)
y.sum().backward()
print(y, r.grad, torch.rand(1))
for bad in (lambda: torch.poisson(torch.tensor([-1.0])), lambda: torch.poisson(torch.tensor([1])), lambda: torch.binomial(r, torch.tensor([0.5, 0.5])).sum().backward()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
