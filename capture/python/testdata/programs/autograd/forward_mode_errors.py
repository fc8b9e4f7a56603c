import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, 2.0])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: fwAD.make_dual(x, x))
attempt(lambda: fwAD.exit_dual_level())
with fwAD.dual_level():
    attempt(lambda: fwAD.enter_dual_level())
    attempt(lambda: fwAD.make_dual(x, torch.ones(3)))
    attempt(lambda: fwAD.make_dual(torch.tensor([1]), torch.ones(1)))
    attempt(lambda: fwAD.make_dual(x, torch.tensor([1, 2])))
    d = fwAD.make_dual(x, torch.ones(2))
    attempt(lambda: fwAD.make_dual(d, x))
    attempt(lambda: fwAD.make_dual(x, d))
    attempt(lambda: fwAD.exit_dual_level(level=5))
level = fwAD.enter_dual_level()
print(level, fwAD.unpack_dual(fwAD.make_dual(x, torch.ones(2)) * 3))
fwAD.exit_dual_level(level=level)
print(fwAD.unpack_dual(d).tangent)
