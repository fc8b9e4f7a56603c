import torch

a = torch.tensor([[6.0, -7.0], [8.0, 9.5]], requires_grad=True)
b = torch.tensor([4.0, -2.5], requires_grad=True)
print(torch.mul(a, b), torch.multiply(a, 2), a.mul(b), a.multiply(b), torch.mul(a, True))
print(torch.div(a, b), torch.divide(a, 2), torch.true_divide(a, b), a.true_divide(3), a.divide(b))
for mode in (None, "trunc", "floor"):
    print(mode, torch.div(a, b, rounding_mode=mode), a.div(2, rounding_mode=mode), torch.div(torch.tensor([7, -7]), 2, rounding_mode=mode))
print(torch.floor_divide(a, b), a.floor_divide(2), a // b)
print(torch.reciprocal(b), b.reciprocal(), torch.neg(a), a.negative(), a.neg(), torch.negative(b), torch.positive(a), a.positive())
print(torch.square(a), a.square(), torch.sqrt(a.abs()), b.abs().rsqrt(), torch.rsqrt(b.abs()))
loss = torch.div(a, b, rounding_mode="trunc").sum() + torch.div(a, b).sum() + torch.mul(a, b).sum()
loss.backward()
print(a.grad, b.grad)
c = torch.tensor([1.0, 4.0])
print(c.mul_(3), c.div_(2), c.multiply_(2), c.divide_(4), c.true_divide_(2), c.neg_(), c.negative_(), c.square_(), c.sqrt_(), c.rsqrt_(), c.reciprocal_())
print(c.div_(0.3, rounding_mode="floor"), c.floor_divide_(2))
for bad in (
    lambda: torch.div(a, b, rounding_mode="up"),
    lambda: torch.floor_divide(torch.tensor(1), 0),
    lambda: torch.tensor([1, 2]).div_(2),
    lambda: torch.square(a, b),
    lambda: torch.neg(torch.tensor(True)),
    lambda: torch.tensor([1, 2]).reciprocal_(),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(torch.tensor([1, 0, -1]) / 0, torch.tensor([1.0, 0.0]) // 0, torch.sqrt(torch.tensor([-1.0, 4])), torch.reciprocal(torch.tensor([2, 4])))
(a // b).sum().backward()
