import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([1.0, 2.0])
t = torch.tensor([1.0, 10.0])
print(fwAD.unpack_dual(x))
with fwAD.dual_level():
    d = fwAD.make_dual(x, t)
    print(d, fwAD.unpack_dual(d))
    y = d.exp() * d + 1
    print(fwAD.unpack_dual(y).tangent)
    print(fwAD.unpack_dual(d.sum()), fwAD.unpack_dual(x * 2).tangent)
    with torch.no_grad():
        print(fwAD.unpack_dual(d * 2).tangent)
    z = d.clone()
    z.mul_(3)
    print(fwAD.unpack_dual(z))
    v = z[0]
    v.add_(d[1])
    print(fwAD.unpack_dual(z))
    m = torch.eye(2) @ fwAD.make_dual(torch.ones(2, 2), torch.ones(2, 2))
    print(fwAD.unpack_dual(m).tangent)
    w = torch.ones(2, requires_grad=True)
    q = fwAD.make_dual(w, t)
    out = (q**2).sum()
    (g,) = torch.autograd.grad(out, w)
    print(fwAD.unpack_dual(g))
print(fwAD.unpack_dual(d), d)


@fwAD.dual_level()
def derivative(f, x):
    return fwAD.unpack_dual(f(fwAD.make_dual(x, torch.ones_like(x)))).tangent


print(derivative(torch.sin, x))
