import torch

a = torch.tensor([7.5, -7.5, 3.0, -3.0], requires_grad=True)
b = torch.tensor([2.0, 2.0, -2.0, -2.0], requires_grad=True)
print(torch.fmod(a, b), torch.fmod(a, 2), a.fmod(b), a.fmod(-2))
print(torch.remainder(a, b), torch.remainder(a, 2), torch.remainder(7, b), a.remainder(b), 7 % b, a % b)
(torch.fmod(a, b).sum() + torch.remainder(a, b).sum()).backward()
print(a.grad, b.grad)
i, j = torch.tensor([12, 18, -8, 0]), torch.tensor([8, 27, 12, 5])
print(torch.gcd(i, j), torch.lcm(i, j), i.gcd(j), i.lcm(j), i.gcd_(j), i.lcm_(j))
i = torch.tensor([7, -7, 8])
print(i % 3, i.fmod(3), i.remainder(-3), torch.fmod(i, torch.tensor([2, 2, 3])), i.__rmod__(20), i.__rfloordiv__(20))
c = torch.tensor([5.5, -5.5])
print(c.fmod_(3), c.remainder_(2), c.remainder_(torch.tensor([0.3, 0.4])), c.fmod_(torch.tensor(0.1)))
print(torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5)), torch.tensor([0.0]).heaviside(torch.tensor([7.0])), torch.tensor([-0.5, 0.0]).heaviside_(torch.tensor([1.0, 2.0])))
print(torch.nextafter(torch.ones(1), torch.tensor([2.0])) > 1, torch.ones(1).nextafter_(torch.zeros(1)) < 1, torch.ones(2).nextafter(torch.ones(2)))
print(torch.copysign(a, b), torch.copysign(a, -1), a.copysign(b), torch.tensor([1.0, -2.0]).copysign_(-1), torch.tensor([1.0, -2.0]).copysign_(torch.tensor([-0.0, 0.0])))
torch.copysign(a, b).sum().backward()
print(a.grad)
for bad in (lambda: i % 0, lambda: i.fmod(0), lambda: torch.gcd(a, b), lambda: torch.heaviside(a, i), lambda: torch.heaviside(torch.ones(2), torch.ones(2, dtype=torch.float64))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(torch.tensor([1.0]) % 0, torch.fmod(torch.tensor([1.0]), 0))
