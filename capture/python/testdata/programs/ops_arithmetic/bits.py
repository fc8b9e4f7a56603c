import torch

a, b = torch.tensor([12, 10, -1]), torch.tensor([10, 3, 6])
print(torch.bitwise_and(a, b), torch.bitwise_or(a, b), torch.bitwise_xor(a, b), torch.bitwise_not(a))
print(torch.bitwise_and(a, 6), torch.bitwise_or(a, 1), torch.bitwise_xor(a, 5), torch.bitwise_and(6, a), torch.bitwise_or(6, a), torch.bitwise_xor(6, a))
print(torch.bitwise_left_shift(a, b % 4), torch.bitwise_right_shift(a, 1), torch.bitwise_left_shift(a, 2), torch.bitwise_left_shift(1, b), torch.bitwise_right_shift(1024, b), torch.bitwise_right_shift(a, torch.tensor([1, 2, 3])))
print(a.bitwise_and(b), a.bitwise_or(b), a.bitwise_xor(b), a.bitwise_not(), a.bitwise_left_shift(1), a.bitwise_right_shift(b % 3))
print(a & b, a | b, a ^ b, ~a, a << 1, a >> 1, 1 << b, 1000 >> b, 7 & a, 8 | a, 5 ^ a)
c = a.clone()
print(c.bitwise_and_(b), c.bitwise_or_(16), c.bitwise_xor_(1), c.bitwise_not_(), c.bitwise_left_shift_(2), c.bitwise_right_shift_(1), c.bitwise_and_(7), c.bitwise_or_(b), c.bitwise_xor_(b))
print(a.bitwise_left_shift_(torch.tensor([1, 1, 1])), a.bitwise_right_shift_(torch.tensor([1, 1, 1])))
t, f = torch.tensor([True, False]), torch.tensor([True, True])
print(t & f, t | f, t ^ f, ~t, torch.bitwise_not(t), t.__and__(f), t.__or__(f), t.__xor__(f), t.__invert__())
t &= f
t |= False
t ^= True
print(t, a.__lshift__(1), a.__rshift__(1), a.__rlshift__(1), a.__rrshift__(64))
print(torch.tensor([250], dtype=torch.uint8) << 1, torch.tensor([-128], dtype=torch.int8) >> 2, ~torch.tensor([1], dtype=torch.uint8))
for bad in (lambda: torch.ones(2) & 1, lambda: ~torch.ones(2), lambda: torch.bitwise_and(torch.ones(2), torch.ones(2)), lambda: t << 1, lambda: torch.bitwise_xor(a, 1.5)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
