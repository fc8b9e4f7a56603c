"""Distributions over vectors and matrices, and Beta, which is half of one."""

import math
import warnings
from math import nan
from numbers import Number, Real

import torch
import torch.nn.functional as F

from . import constraints
from ._continuous import Chi2
from .distribution import ExponentialFamily, Family
from .utils import _standard_normal, broadcast_all, lazy_property


class _Dirichlet(torch.autograd.Function):
    """Samples of a Dirichlet distribution, with their implicit derivative."""

    @staticmethod
    def forward(ctx, concentration):
        x = torch._sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad_output):
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        grad = torch._dirichlet_grad(x, concentration, total)
        return grad * (grad_output - (x * grad_output).sum(-1, True))


class Dirichlet(Family, ExponentialFamily):
    """Points of the simplex."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _batched = ("concentration",)
    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=()):
        return _Dirichlet.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    def _log_prob(self, value):
        return (
            torch.xlogy(self.concentration - 1.0, value).sum(-1)
            + torch.lgamma(self.concentration.sum(-1))
            - torch.lgamma(self.concentration).sum(-1)
        )

    @property
    def mode(self):
        excess = (self.concentration - 1).clamp(min=0.0)
        mode = excess / excess.sum(-1, True)
        corner = (self.concentration < 1).all(dim=-1)
        mode[corner] = F.one_hot(mode[corner].argmax(dim=-1), excess.shape[-1]).to(mode)
        return mode

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def entropy(self):
        k = self.concentration.size(-1)
        a0 = self.concentration.sum(-1)
        return (
            torch.lgamma(self.concentration).sum(-1)
            - torch.lgamma(a0)
            - (k - a0) * torch.digamma(a0)
            - ((self.concentration - 1.0) * torch.digamma(self.concentration)).sum(-1)
        )

    @property
    def _natural_params(self):
        return (self.concentration,)

    def _log_normalizer(self, x):
        return x.lgamma().sum(-1) - torch.lgamma(x.sum(-1))


class Beta(Family, ExponentialFamily):
    """Values in [0, 1]: the first coordinate of a Dirichlet distribution with two."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _batched = ("_dirichlet",)
    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    def __init__(self, concentration1, concentration0, validate_args=None):
        if isinstance(concentration1, Real) and isinstance(concentration0, Real):
            both = torch.tensor([float(concentration1), float(concentration0)])
        else:
            both = torch.stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def _log_prob(self, value):
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()

    @property
    def _natural_params(self):
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x, y):
        return torch.lgamma(x) + torch.lgamma(y) - torch.lgamma(x + y)


def _batch_mv(bmat, bvec):
    return torch.matmul(bmat, bvec.unsqueeze(-1)).squeeze(-1)


def _batch_mahalanobis(bL, bx):
    """x' (L L')^-1 x for batches of lower triangular L and of x, whose batch is the larger one."""
    n = bx.size(-1)
    batch_shape = bx.shape[:-1]
    l_dims = bL.dim() - 2
    outer = len(batch_shape) - l_dims
    # The batch of x is split into a part over which L is repeated and one that L has.
    shape = bx.shape[:outer]
    for sL, sx in zip(bL.shape[:-2], bx.shape[outer:-1]):
        shape += (sx // sL, sL)
    bx = bx.reshape(shape + (n,))
    last = outer + 2 * l_dims
    bx = bx.permute([*range(outer), *range(outer, last, 2), *range(outer + 1, last, 2), last])
    flat_L = bL.reshape(-1, n, n)
    flat_x = bx.reshape(-1, flat_L.size(0), n).permute(1, 2, 0)
    M = torch.linalg.solve_triangular(flat_L, flat_x, upper=False).pow(2).sum(-2).t()
    M = M.reshape(bx.shape[:-1])
    order = list(range(outer))
    for i in range(l_dims):
        order += [outer + i, outer + l_dims + i]
    return M.permute(order).reshape(batch_shape)


def _precision_to_scale_tril(P):
    Lf = torch.linalg.cholesky(torch.flip(P, (-2, -1)))
    L_inv = torch.transpose(torch.flip(Lf, (-2, -1)), -2, -1)
    identity = torch.eye(P.shape[-1], dtype=P.dtype, device=P.device)
    return torch.linalg.solve_triangular(L_inv, identity, upper=False)


def _log_diagonal(L):
    return L.diagonal(dim1=-2, dim2=-1).log().sum(-1)


_MATRICES = {
    "covariance_matrix": constraints.positive_definite,
    "precision_matrix": constraints.positive_definite,
    "scale_tril": constraints.lower_cholesky,
}


class _OfMatrix(Family):
    """A family with a covariance, given by itself, its inverse, or its Cholesky factor."""

    has_rsample = True

    def _factor(self, covariance_matrix, precision_matrix, scale_tril):
        """The Cholesky factor as it follows from what was given."""
        if scale_tril is not None:
            return scale_tril
        if covariance_matrix is not None:
            return torch.linalg.cholesky(covariance_matrix)
        return _precision_to_scale_tril(precision_matrix)

    def _square(self, matrix):
        """A matrix for each element of the batch."""
        n = self._event_shape[-1:]
        return matrix.expand(self._batch_shape + n + n)

    @lazy_property
    def scale_tril(self):
        return self._square(self._unbroadcasted_scale_tril)


class MultivariateNormal(_OfMatrix):
    """The normal distribution of vectors."""

    arg_constraints = {"loc": constraints.real_vector, **_MATRICES}
    support = constraints.real_vector
    _batched = ("loc", *_MATRICES)
    _shared = ("_unbroadcasted_scale_tril",)
    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = {
            "scale_tril": scale_tril,
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
        }
        given = {name: matrix for name, matrix in given.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given.items()
        if matrix.dim() < 2:
            shown = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(f"{shown} must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = self._factor(covariance_matrix, precision_matrix, scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._square(torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT))

    @lazy_property
    def precision_matrix(self):
        return self._square(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, eps)

    def _log_prob(self, value):
        M = _batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        half_log_det = _log_diagonal(self._unbroadcasted_scale_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + M) - half_log_det

    def entropy(self):
        half_log_det = _log_diagonal(self._unbroadcasted_scale_tril)
        H = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half_log_det
        return H.expand(self._batch_shape) if self._batch_shape else H


def _add_identity(K):
    K = K.contiguous()
    n = K.size(-1)
    K.view(-1, n * n)[:, :: n + 1] += 1
    return K


def _batch_capacitance_tril(W, D):
    """The Cholesky factor of I + W' D^-1 W."""
    return torch.linalg.cholesky(_add_identity(torch.matmul(W.mT / D.unsqueeze(-2), W)))


def _batch_lowrank_logdet(W, D, capacitance_tril):
    return 2 * _log_diagonal(capacitance_tril) + D.log().sum(-1)


def _batch_lowrank_mahalanobis(W, D, x, capacitance_tril):
    Wt_Dinv_x = _batch_mv(W.mT / D.unsqueeze(-2), x)
    return (x.pow(2) / D).sum(-1) - _batch_mahalanobis(capacitance_tril, Wt_Dinv_x)


class LowRankMultivariateNormal(Family):
    """MultivariateNormal with the covariance cov_factor cov_factor' + diag(cov_diag)."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True
    _batched = ("loc", "cov_diag", "cov_factor")
    _shared = ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril")
    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            loc_, self.cov_factor, cov_diag_ = torch.broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as e:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from e
        self.loc = loc_[..., 0]
        self.cov_diag = cov_diag_[..., 0]
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    @property
    def _parts(self):
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    @lazy_property
    def variance(self):
        W, D = self._parts
        return (W.pow(2).sum(-1) + D).expand(self._batch_shape + self._event_shape)

    def _square(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        W, D = self._parts
        root = D.sqrt().unsqueeze(-1)
        scaled = W / root
        return self._square(root * torch.linalg.cholesky(_add_identity(torch.matmul(scaled, scaled.mT))))

    @lazy_property
    def covariance_matrix(self):
        W, D = self._parts
        return self._square(torch.matmul(W, W.mT) + torch.diag_embed(D))

    @lazy_property
    def precision_matrix(self):
        W, D = self._parts
        A = torch.linalg.solve_triangular(self._capacitance_tril, W.mT / D.unsqueeze(-2), upper=False)
        return self._square(torch.diag_embed(D.reciprocal()) - A.mT @ A)

    def rsample(self, sample_shape=torch.Size()):
        W, D = self._parts
        shape = self._extended_shape(sample_shape)
        options = dict(dtype=self.loc.dtype, device=self.loc.device)
        eps_W = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], **options)
        eps_D = _standard_normal(shape, **options)
        return self.loc + _batch_mv(W, eps_W) + D.sqrt() * eps_D

    def _log_prob(self, value):
        M = _batch_lowrank_mahalanobis(*self._parts, value - self.loc, self._capacitance_tril)
        log_det = _batch_lowrank_logdet(*self._parts, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + log_det + M)

    def entropy(self):
        log_det = _batch_lowrank_logdet(*self._parts, self._capacitance_tril)
        H = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det)
        return H.expand(self._batch_shape) if self._batch_shape else H


class LKJCholesky(Family):
    """Cholesky factors of correlation matrices of dim variables."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _batched = ("concentration", "_beta")
    _shared = ("dim",)

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (dim - 2)
        offset = torch.arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        offset = torch.cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)), validate_args)

    def sample(self, sample_shape=torch.Size()):
        # The onion method: a random length and a random direction for each row.
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device).tril(-1)
        directions = normal / normal.norm(dim=-1, keepdim=True)
        directions[..., 0, :].fill_(0.0)
        w = torch.sqrt(y) * directions
        diagonal = torch.clamp(1 - torch.sum(w**2, dim=-1), min=torch.finfo(w.dtype).tiny).sqrt()
        w += torch.diag_embed(diagonal)
        return w

    def _log_prob(self, value):
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalized = torch.sum(order * diagonal.log(), dim=-1)
        dm1 = self.dim - 1
        alpha = self.concentration + 0.5 * dm1
        denominator = torch.lgamma(alpha) * dm1
        numerator = torch.mvlgamma(alpha - 0.5, dm1)
        return unnormalized - (0.5 * dm1 * math.log(math.pi) + numerator - denominator)


_log_2 = math.log(2)


def _mvdigamma(x, p):
    assert x.gt((p - 1) / 2).all(), "Wrong domain for multivariate digamma function."
    steps = torch.arange(p, dtype=x.dtype, device=x.device).div(2).expand(x.shape + (-1,))
    return torch.digamma(x.unsqueeze(-1) - steps).sum(-1)


class Wishart(_OfMatrix, ExponentialFamily):
    """The sum of df squared normal vectors: positive definite matrices."""

    arg_constraints = {**_MATRICES, "df": constraints.greater_than(0)}
    support = constraints.positive_definite
    _mean_carrier_measure = 0
    _batched = ("df", *_MATRICES)

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in given.items() if matrix is not None}
        assert (
            len(given) == 1
        ), "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
        ((name, param),) = given.items()
        if param.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, Number):
            batch_shape = torch.Size(param.shape[:-2])
            self.df = torch.tensor(df, dtype=param.dtype, device=param.device)
        else:
            batch_shape = torch.broadcast_shapes(param.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        n = param.shape[-1]
        if self.df.le(n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, name, param.expand(batch_shape + (-1, -1)))
        self.arg_constraints["df"] = constraints.greater_than(n - 1)
        if self.df.lt(n).any():
            warnings.warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.")
        super().__init__(batch_shape, param.shape[-2:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = self._factor(covariance_matrix, precision_matrix, scale_tril)
        self._set_diagonal()

    def _set_diagonal(self):
        """The distributions of the squared diagonal of the Bartlett decomposition."""
        L = self._unbroadcasted_scale_tril
        steps = torch.arange(self._event_shape[-1], dtype=L.dtype, device=L.device)
        self._batch_dims = [-(i + 1) for i in range(len(self._batch_shape))]
        self._dist_chi2 = Chi2(df=self.df.unsqueeze(-1) - steps.expand(self._batch_shape + (-1,)))

    def expand(self, batch_shape, _instance=None):
        batch_shape = torch.Size(batch_shape)
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(batch_shape + self.event_shape)
        new._set_diagonal()
        return new

    @lazy_property
    def covariance_matrix(self):
        L = self._unbroadcasted_scale_tril
        return self._square(L @ L.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self):
        L = self._unbroadcasted_scale_tril
        identity = torch.eye(self._event_shape[-1], device=L.device, dtype=L.dtype)
        return self._square(torch.cholesky_solve(identity, L))

    def _df_of_matrices(self):
        return self.df.view(self._batch_shape + (1, 1))

    @property
    def mean(self):
        return self._df_of_matrices() * self.covariance_matrix

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = nan
        return factor.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def variance(self):
        V = self.covariance_matrix
        diagonal = V.diagonal(dim1=-2, dim2=-1)
        return self._df_of_matrices() * (V.pow(2) + torch.einsum("...i,...j->...ij", diagonal, diagonal))

    def _bartlett_sampling(self, sample_shape=torch.Size()):
        p = self._event_shape[-1]
        roots = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=torch.finfo(roots.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(p, p, offset=-1)
        noise[..., i, j] = torch.randn(
            torch.Size(sample_shape) + self._batch_shape + (int(p * (p - 1) / 2),),
            dtype=noise.dtype,
            device=noise.device,
        )
        chol = self._unbroadcasted_scale_tril @ noise
        return chol @ chol.transpose(-2, -1)

    def rsample(self, sample_shape=torch.Size(), max_try_correction=None):
        if max_try_correction is None:
            max_try_correction = 10
        sample_shape = torch.Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        # PyTorch draws again where the sample is *not* singular; its numbers depend on that.
        is_singular = self.support.check(sample)
        if self._batch_shape:
            is_singular = is_singular.amax(self._batch_dims)
        if is_singular.any():
            warnings.warn("Singular sample detected.")
            for _ in range(max_try_correction):
                sample_new = self._bartlett_sampling(is_singular[is_singular].shape)
                sample[is_singular] = sample_new
                is_singular_new = ~self.support.check(sample_new)
                if self._batch_shape:
                    is_singular_new = is_singular_new.amax(self._batch_dims)
                is_singular[is_singular.clone()] = is_singular_new
                if not is_singular.any():
                    break
        return sample

    def _log_prob(self, value):
        nu, p = self.df, self._event_shape[-1]
        L = self._unbroadcasted_scale_tril
        return (
            -nu * (p * _log_2 / 2 + _log_diagonal(L))
            - torch.mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * torch.linalg.slogdet(value).logabsdet
            - torch.cholesky_solve(value, L).diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2
        )

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * (p * _log_2 / 2 + _log_diagonal(self._unbroadcasted_scale_tril))
            + torch.mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    @property
    def _natural_params(self):
        nu, p = self.df, self._event_shape[-1]
        return -self.precision_matrix / 2, (nu - p - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        return (y + (p + 1) / 2) * (-torch.linalg.slogdet(-2 * x).logabsdet + _log_2 * p) + torch.mvlgamma(
            y + (p + 1) / 2, p=p
        )
