"""Parametrizations that come with the package: orthogonal, weight and spectral norm."""

import enum

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.module import Module

from . import parametrize
from .spectral_norm import default_dim

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _parameter_or_buffer(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


def _is_orthogonal(q):
    rows, columns = q.size(-2), q.size(-1)
    identity = torch.eye(columns, dtype=q.dtype, device=q.device)
    return torch.allclose(q.mH @ q, identity, atol=10.0 * rows * torch.finfo(q.dtype).eps)


def _make_orthogonal(a):
    x, tau = torch.geqrf(a)
    q = torch.linalg.householder_product(x, tau)
    q *= x.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return q


class _OrthMaps(enum.Enum):
    matrix_exp = enum.auto()
    cayley = enum.auto()
    householder = enum.auto()


class _Orthogonal(Module):
    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        rows, columns = x.size(-2), x.size(-1)
        wide = rows < columns
        if wide:
            x = x.mT
            rows, columns = columns, rows
        if self.orthogonal_map == _OrthMaps.householder:
            lower = x.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (lower * lower).sum(dim=-2))
            q = torch.linalg.householder_product(lower, tau)
            q = q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            q = self._from_skew(x.tril(), rows, columns)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    def _from_skew(self, x, rows, columns):
        """An orthogonal matrix from the skew-symmetric one that x makes."""
        if rows != columns:
            padding = x.new_zeros(rows, rows - columns).expand(*x.shape[:-2], -1, -1)
            x = torch.cat([x, padding], dim=-1)
        skew = x - x.mH
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            q = torch.matrix_exp(skew)
        else:
            identity = torch.eye(rows, dtype=skew.dtype, device=skew.device)
            q = torch.linalg.solve(
                torch.add(identity, skew, alpha=-0.5), torch.add(identity, skew, alpha=0.5)
            )
        return q[..., :columns] if rows != columns else q

    @torch.no_grad()
    def right_inverse(self, q):
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {q.shape}."
            )
        given = q
        rows, columns = q.size(-2), q.size(-1)
        wide = rows < columns
        if wide:
            q = q.mT
            rows, columns = columns, rows
        if not hasattr(self, "base"):
            if self.orthogonal_map != _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley "
                    "parametrizations when use_trivialization=False."
                )
            a, tau = torch.geqrf(q)
            diagonal = a.diagonal(dim1=-2, dim2=-1)
            diagonal.sign_()
            diagonal[tau == 0.0] *= -1
            return a.mT if wide else a
        if rows != columns:
            drawn = torch.randn(
                *(q.size()[:-2] + (rows, rows - columns)), dtype=q.dtype, device=q.device
            )
            q = _make_orthogonal(torch.cat([q, drawn], dim=-1))
        elif _is_orthogonal(q):
            q = q.clone()
        else:
            q = _make_orthogonal(q)
        self.base = q
        negative = torch.zeros_like(given)
        negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return negative


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Makes a matrix of module orthogonal (or with orthonormal rows or columns)."""
    weight = _parameter_or_buffer(module, name)
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    kind = getattr(_OrthMaps, orthogonal_map, None)
    if kind is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, kind, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return torch.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Makes a weight the product of its norm and its direction."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename_old_keys(state_dict, prefix, *rest):
        old = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in old):
            values = [state_dict.pop(key) for key in old]
            for i, value in enumerate(values):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = value

    module._register_load_state_dict_pre_hook(rename_old_keys)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(
                "Dimension out of range (expected to be in range of "
                f"[-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but "
                f"got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            u, v = (matrix.new_empty(size).normal_(0, 1) for size in matrix.size())
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        assert weight.ndim > 1
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    @torch.no_grad()
    def _power_method(self, weight_mat, n_power_iterations):
        assert weight_mat.ndim > 1
        for _ in range(n_power_iterations):
            u = torch.mv(weight_mat, self._v)
            self._u = F.normalize(u, dim=0, eps=self.eps, out=self._u)
            v = torch.mv(weight_mat.H, self._u)
            self._v = F.normalize(v, dim=0, eps=self.eps, out=self._v)

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u = self._u.clone(memory_format=torch.contiguous_format)
        v = self._v.clone(memory_format=torch.contiguous_format)
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divides a weight by its largest singular value."""
    weight = _parameter_or_buffer(module, name)
    if dim is None:
        dim = default_dim(module)
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module
