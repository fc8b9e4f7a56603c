import torch
from torch.distributions import transforms as T
from torch.distributions import Normal

torch.manual_seed(0)
x = torch.randn(3)
for t in (
    T.ExpTransform(),
    T.SigmoidTransform(),
    T.TanhTransform(),
    T.SoftplusTransform(),
    T.AffineTransform(1.0, -2.0),
    T.AffineTransform(torch.zeros(3), torch.tensor([1.0, 2.0, 3.0])),
    T.ComposeTransform([T.AffineTransform(0.0, 2.0), T.ExpTransform()]),
    T.CumulativeDistributionTransform(Normal(0.0, 1.0)),
    T.identity_transform,
):
    y = t(x)
    print(t, t.domain, t.codomain, t.bijective, t.sign)
    print(y, t.inv(y), t.log_abs_det_jacobian(x, y), t.inv.log_abs_det_jacobian(y, x))
    print(t.inv, t.inv.inv is t, t == t, t.inv == t.inv)
p = T.PowerTransform(torch.tensor(2.0))
print(p(x.abs()), p.inv(x.abs()), p.sign, p == T.PowerTransform(2.0), p.log_abs_det_jacobian(x.abs(), p(x.abs())))
a = T.AbsTransform()
print(a(x), a.inv(x.abs()), a.bijective)
s = T.SoftmaxTransform()
print(s(x), s.inv(s(x)))
b = T.StickBreakingTransform()
print(b(x), b.inv(b(x)), b.log_abs_det_jacobian(x, b(x)), b.forward_shape((3,)), b.inverse_shape((4,)))
c = T.CorrCholeskyTransform()
print(c(x), c.inv(c(x)), c.log_abs_det_jacobian(x, c(x)), c.forward_shape((3,)))
m = torch.randn(3, 3)
print(T.LowerCholeskyTransform()(m), T.PositiveDefiniteTransform()(m), T.PositiveDefiniteTransform().inv(T.PositiveDefiniteTransform()(m)))
r = T.ReshapeTransform((3,), (3, 1))
print(r(x).shape, r.forward_shape((2, 3)), r.log_abs_det_jacobian(x, r(x)))
i = T.IndependentTransform(T.ExpTransform(), 1)
print(i, i.log_abs_det_jacobian(x, i(x)), i.domain)
cat = T.CatTransform([T.ExpTransform(), T.identity_transform], dim=0, lengths=[1, 2])
print(cat(x), cat.inv(cat(x)), cat.log_abs_det_jacobian(x, cat(x)))
st = T.StackTransform([T.ExpTransform(), T.SigmoidTransform(), T.identity_transform])
print(st(x), st.inv(st(x)), st.log_abs_det_jacobian(x, st(x)))
k = T.ExpTransform(cache_size=1)
y = k(x)
print(k.inv(y) is x, T.ExpTransform().inv(y) is x, k.with_cache(0)._cache_size)
for f in (lambda: T.ExpTransform(cache_size=2), lambda: T.ReshapeTransform((2,), (3,)), lambda: c.forward_shape((4,)), lambda: s.sign, lambda: i(torch.tensor(1.0)), lambda: T.StickBreakingTransform().event_dim, lambda: r.forward_shape((2,))):
    try:
        print(f())
    except (ValueError, NotImplementedError) as e:
        print(type(e).__name__, e)
