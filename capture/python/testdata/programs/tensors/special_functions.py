import torch

x = torch.tensor([0.5, 1.0, 2.5])
s = torch.special
print(s.bessel_j0(x), s.bessel_j1(x), s.bessel_y0(x), s.modified_bessel_i0(x), s.modified_bessel_k0(x), s.modified_bessel_k1(x), s.scaled_modified_bessel_k0(x), s.spherical_bessel_j0(x), s.airy_ai(x))
print(s.chebyshev_polynomial_t(x, 3), s.chebyshev_polynomial_u(x, 2), s.hermite_polynomial_h(x, 3), s.hermite_polynomial_he(x, 3), s.laguerre_polynomial_l(x, 2), s.legendre_polynomial_p(x, torch.tensor([0, 1, 2])), s.shifted_chebyshev_polynomial_w(x, 2))
print(s.gammainc(x, torch.tensor(2.0)), s.gammaincc(x, torch.tensor(2.0)), s.zeta(torch.tensor([2.0, 4.0]), 1), torch.igamma(x, x), s.expit(x), s.gammaln(x), s.psi(x), s.polygamma(1, x), s.multigammaln(x + 1, 2))
y = torch.tensor([1.0, 2.0], requires_grad=True)
z = torch.igamma(torch.tensor([2.0]), y)
z.sum().backward()
print(z, y.grad, s.bessel_j0(y).requires_grad, s.zeta(2.0, y))
for bad in (lambda: torch.igamma(y, torch.ones(2)).sum().backward(), lambda: torch.igamma(torch.tensor([1]), torch.tensor([1])), lambda: s.no_such):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
