import torch
import torch.autograd.forward_ad as fwAD


def attempt(f):
    try:
        print(f())
    except (RuntimeError, NotImplementedError) as e:
        print(type(e).__name__, e)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def jvp(ctx, tangent):
        print("saved:", ctx.saved_tensors)
        return tangent * 2


with fwAD.dual_level():
    dual = fwAD.make_dual(torch.ones(2), torch.tensor([3.0, 4.0]))
    plain = torch.zeros(2)
    attempt(lambda: torch.add(plain, plain, out=fwAD.make_dual(torch.ones(2), torch.ones(2))))
    attempt(lambda: torch.mul(plain, dual, out=torch.zeros(2)))
    attempt(lambda: fwAD.make_dual(torch.ones(2), torch.ones(2)).resize_(4))
    part, tangent = torch.arange(5.0)[:4], torch.ones(4)
    d = fwAD.make_dual(part, tangent)
    inside = fwAD.unpack_dual(d).tangent
    inside *= 2
    print(tangent, inside is tangent, d.as_strided((5,), (1,), 0).shape)
    whole = torch.ones(4)
    print(fwAD.unpack_dual(fwAD.make_dual(whole, tangent)).tangent is tangent)
    out = Copy.apply(fwAD.make_dual(torch.ones(2, requires_grad=True), torch.tensor([3.0, 4.0])))
    print(fwAD.unpack_dual(out).tangent)

with torch.inference_mode():
    c = torch.ones(1, 2, 3, requires_grad=True)
    print(c.view(-1)._is_view(), c.view(-1).requires_grad, c[0].is_inference(), c.resize_(1, 2).shape)
    with fwAD.dual_level():
        print(fwAD.make_dual(torch.ones(2), torch.ones(2))._is_view())
    ordinary = torch.ones(2, 2)
print(c.view(-1)._is_view(), c.view(-1).requires_grad, c.view(-1).is_leaf)
normal = torch.ones(2, 2)
with torch.inference_mode():
    print(normal.view(-1)._is_view(), normal.view(-1).is_inference())
attempt(lambda: torch.mul(normal, 2, out=ordinary))
