"""Functions that are made of others."""

import itertools
import math

import torch
from gradtui._agent.imports import standard

from . import _objects, _values
from ._engine import call

Tensor = _objects.Tensor


def broadcast_shapes(*shapes):
    """The shape that tensors of the given shapes broadcast to."""
    width = 0
    for shape in shapes:
        width = max(width, len(shape) if isinstance(shape, (tuple, list)) else 1)
    result = [1] * width
    for shape in shapes:
        if isinstance(shape, int):
            shape = (shape,)
        if not isinstance(shape, (tuple, list)):
            raise RuntimeError("Input shapes should be of type ints, a tuple of ints, or a list of ints, got ", shape)
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise RuntimeError(
                    "Trying to create tensor with negative dimension (%d): (%d)" % (shape[i], shape[i])
                )
            if shape[i] == 1 or shape[i] == result[i]:
                continue
            if result[i] != 1:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            result[i] = shape[i]
    return torch.Size(result)


def unravel_index(indices, shape):
    """Coordinates of flat indices in a tensor of a shape."""
    if not isinstance(indices, Tensor):
        raise TypeError("expected 'indices' to be Tensor but got %s" % type(indices))
    if indices.is_floating_point() or indices.dtype is torch.bool:
        raise TypeError("expected 'indices' to be integer dtype, but got %s" % indices.dtype)
    if not isinstance(shape, (int, tuple, list)):
        raise TypeError("expected 'shape' to be int or sequence of ints, but got %s" % type(shape))
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for n in sizes:
        if not isinstance(n, int):
            raise TypeError("expected 'shape' sequence to only contain ints, but got %s" % type(n))
    if any(n < 0 for n in sizes):
        raise ValueError("'shape' cannot have negative values, but got %s" % (tuple(sizes),))
    steps, step = [], 1
    for n in reversed(sizes):
        steps.append(step)
        step *= n
    steps = torch.tensor(steps[::-1], dtype=indices.dtype)
    lengths = torch.tensor(sizes, dtype=indices.dtype)
    return (indices.unsqueeze(-1).div(steps, rounding_mode="floor") % lengths).unbind(-1)


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """Central differences along dimensions: a tensor for each."""
    ndim = input.dim()
    dims = list(range(ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if isinstance(spacing, (tuple, list)):
        if dim is None and len(spacing) != ndim:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = %d', "
                "since dim argument was not given, but got a list of length %d" % (ndim, len(spacing))
            )
        if dim is not None and len(spacing) != len(dims):
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
                "same length, but got a spacing argument of length %d and a dim argument of length %d."
                % (len(spacing), len(dims))
            )
        steps = list(spacing)
    else:
        steps = [spacing] * len(dims)
    dims = [_wrapped(d, ndim) for d in dims]
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError("dim %d appears multiple times in the list of dims" % d)
        if input.size(d) < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple([_differences(input, d, step, edge_order) for d, step in zip(dims, steps)])


def _wrapped(d, ndim):
    if not -max(ndim, 1) <= d < max(ndim, 1):
        raise IndexError(
            "Dimension out of range (expected to be in range of [%d, %d], but got %d)" % (-max(ndim, 1), max(ndim, 1) - 1, d)
        )
    return d % max(ndim, 1)


def _differences(t, d, step, edge_order):
    n = t.size(d)

    def at(i, length=1):
        return t.narrow(d, i, length)

    if isinstance(step, Tensor):
        shape = [-1 if i == d else 1 for i in range(t.dim())]
        dx = step.diff(1, 0)
        before, after = dx[:-1], dx[1:]
        a = (-after / (before * (before + after))).view(shape)
        b = ((after - before) / (before * after)).view(shape)
        c = (before / (after * (before + after))).view(shape)
        center = a * at(0, n - 2) + b * at(1, n - 2) + c * at(2, n - 2)
        if edge_order == 1:
            first, last = (at(1) - at(0)) / dx[0], (at(n - 1) - at(n - 2)) / dx[-1]
        else:
            d1, d2 = dx[0], dx[1]
            first = -(2 * d1 + d2) / (d1 * (d1 + d2)) * at(0) + (d1 + d2) / (d1 * d2) * at(1) - d1 / (d2 * (d1 + d2)) * at(2)
            d1, d2 = dx[-2], dx[-1]
            last = (
                d2 / (d1 * (d1 + d2)) * at(n - 3)
                - (d2 + d1) / (d1 * d2) * at(n - 2)
                + (2 * d2 + d1) / (d2 * (d1 + d2)) * at(n - 1)
            )
        return torch.cat((first, center, last), d)
    center = (at(2, n - 2) - at(0, n - 2)).div(step * 2)
    if edge_order == 1:
        first, last = (at(1) - at(0)).div(step), (at(n - 1) - at(n - 2)).div(step)
    else:
        first = (at(0).mul(-3) + at(1).mul(4) - at(2)).div(step * 2)
        last = (at(n - 1).mul(3) - at(n - 2).mul(4) + at(n - 3)).div(step * 2)
    return torch.cat((first, center, last), d)


def norm_except_dim(v, pow=2, dim=0):
    """The norm over all dimensions but one."""
    if dim == -1:
        return v.norm(pow)
    if dim == 0:
        return v.contiguous().view(v.size(0), -1).norm(pow, 1).view([v.size(0)] + [1] * (v.dim() - 1))
    if dim == v.dim() - 1:
        return v.contiguous().view(-1, v.size(-1)).norm(pow, 0).view([1] * (v.dim() - 1) + [v.size(-1)])
    return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)


def lu(A, pivot=True, get_infos=False):
    """The LU factorization, with or without LAPACK's report."""
    result = call("torch._lu_with_info", (A,), {"pivot": pivot, "check_errors": not get_infos})
    if not get_infos:
        return result[0], result[1]
    return _values.return_type("torch.return_types._lu_with_info", ("LU", "pivots", "info"))(result)


def svd_lowrank(A, q=6, niter=2, M=None):
    """A singular value decomposition of low rank, by random projections."""
    q = 6 if q is None else q
    if M is not None:
        A = A - M.broadcast_to(A.size())
    turned = A.shape[-2] < A.shape[-1]
    if turned:
        A = A.mH
    Q = torch.linalg.qr(torch.matmul(A, torch.randn(A.shape[-1], q, dtype=A.dtype))).Q
    for _ in range(niter):
        Q = torch.linalg.qr(torch.matmul(A.mH, Q)).Q
        Q = torch.linalg.qr(torch.matmul(A, Q)).Q
    U, S, Vh = torch.linalg.svd(torch.matmul(Q.mH, A), full_matrices=False)
    U, V = Q.matmul(U), Vh.mH
    return (V, S, U) if turned else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    """Principal components of low rank."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError("q(=%s) must be non-negative integer and not greater than min(m, n)=%s" % (q, min(m, n)))
    if niter < 0:
        raise ValueError("niter(=%s) must be non-negative integer" % niter)
    if not center:
        return svd_lowrank(A, q, niter=niter, M=None)
    return svd_lowrank(A - A.mean(dim=-2, keepdim=True), q, niter=niter, M=None)


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """The sums, means, maxima or minima of consecutive parts."""
    if lengths is None:
        if offsets is None:
            raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
        lengths = offsets.diff()
    start = {"sum": 0.0, "mean": 0.0, "max": -math.inf, "min": math.inf, "prod": 1.0}
    functions = {
        "sum": lambda t: t.sum(0), "mean": lambda t: t.mean(0), "max": lambda t: t.amax(0), "min": lambda t: t.amin(0),
        "prod": lambda t: t.prod(0),
    }  # fmt: skip
    if reduce not in start:
        raise RuntimeError("segment_reduce(): Expected reduce to be one of sum, mean, max, min, prod; got %s" % reduce)
    parts = []
    for part in data.split(lengths.tolist()):
        if len(part):
            parts.append(functions[reduce](part))
        else:
            empty = initial if initial is not None else math.nan if reduce == "mean" else start[reduce]
            parts.append(torch.full(data.shape[1:], empty, dtype=data.dtype))
    return torch.stack(parts)


def nuclear_norm(input, dim=None, keepdim=False):
    return torch.linalg.matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim)


def frobenius_norm(input, dim, keepdim=False):
    return torch.linalg.vector_norm(input, 2.0, dim, keepdim)


def detach_(input):
    return input.detach_()


def zero_(input):
    return input.zero_()


def put(input, index, source, accumulate=False):
    return input.put(index, source, accumulate)


def align_tensors(*tensors):
    from ._unsupported import unsupported

    unsupported("named tensors")


def empty_permuted(size, physical_layout, **kwargs):
    """An uninitialized tensor whose memory has the dimensions in a given order."""
    t = torch.empty([size[d] for d in physical_layout], **kwargs)
    order = [list(physical_layout).index(d) for d in range(len(size))]
    return t.permute(order)


def cond(A, p=None, *, out=None):
    """The condition number of matrices."""
    if A.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if p is None or p in (2, -2):
        s = torch.linalg.svdvals(A)
        large, small = s.narrow(-1, 0, 1), s.narrow(-1, -1, 1)
        return (small / large if p == -2 else large / small).squeeze(-1)
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise RuntimeError("linalg.cond got an invalid norm type: %s" % p)
    if p == "nuc":
        s = torch.linalg.svdvals(A)
        return s.sum(-1) * s.reciprocal().sum(-1)
    if A.shape[-1] != A.shape[-2]:
        shown = p if isinstance(p, str) else "%g" % p
        raise RuntimeError(
            "linalg.cond(ord=%s): A must be batches of square matrices, but they are %d by %d matrices"
            % (shown, A.shape[-2], A.shape[-1])
        )
    inverse, info = torch.linalg.inv_ex(A)
    inverse.masked_fill_((info > 0).unsqueeze(-1).unsqueeze(-1), math.inf)
    product = torch.linalg.matrix_norm(A, p) * torch.linalg.matrix_norm(inverse, p)
    return torch.nan_to_num(product, nan=math.inf)


def tensorinv(A, ind=2, *, out=None):
    """The inverse for tensordot."""
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind', but got %d" % ind)
    left, right = A.shape[:ind], A.shape[ind:]
    if left.numel() != right.numel():
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got %d != %d"
            % (right.numel(), left.numel())
        )
    try:
        inverse = torch.linalg.inv(A.reshape(left.numel(), right.numel()))
    except torch.linalg.LinAlgError as e:
        raise type(e)(str(e).replace("linalg.inv", "inv")) from None
    return inverse.reshape(right + left)


def tensorsolve(A, B, dims=None, *, out=None):
    """The solution X of tensordot(A, X) = B."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.dim() - len(dims), A.dim())))
    left, right = A.shape[: B.dim()], A.shape[B.dim() :]
    if left.numel() != right.numel():
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            "but got %d != %d" % (right.numel(), left.numel())
        )
    return torch.linalg.solve(A.reshape(left.numel(), right.numel()), B.flatten()).reshape(right)


def vander(x, N=None):
    """The powers of the elements of vectors, ascending."""
    n = x.shape[-1] if N is None and x.dim() else N
    if x.dim() == 0 or n is not None and n <= 1:
        raise RuntimeError("N must be greater than 1.")
    ones = torch.ones(x.shape + (1,), dtype=torch.int64 if not x.is_floating_point() else x.dtype)
    powers = torch.cumprod(x.unsqueeze(-1).expand(x.shape + (n - 1,)), -1)
    return torch.cat([ones, powers], -1)


def histogramdd(input, bins, range=None, weight=None, density=False):
    """How many points lie in each cell of a grid, and the edges of the cells."""
    if not input.is_floating_point():
        raise RuntimeError('"histogramdd" not implemented for \'%s\'' % type(input).__name__)
    flat = input.reshape(-1, input.shape[-1])
    dims = flat.shape[1]
    if isinstance(bins, int):
        bins = [bins] * dims
    edges = []
    for d, b in enumerate(bins):
        if isinstance(b, Tensor):
            edges.append(b)
            continue
        low, high = (flat[:, d].min().item(), flat[:, d].max().item()) if range is None else range[2 * d : 2 * d + 2]
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges.append(torch.linspace(low, high, b + 1, dtype=input.dtype))
    counts = torch.zeros([len(e) - 1 for e in edges], dtype=input.dtype)
    weights = [1.0] * len(flat) if weight is None else weight.reshape(-1).tolist()
    for point, w in zip(flat.tolist(), weights):
        cell = [_bin(x, e.tolist()) for x, e in zip(point, edges)]
        if None not in cell:
            counts[tuple(cell)] += w
    if density:
        volumes = torch.ones_like(counts)
        for d, e in enumerate(edges):
            volumes = volumes * e.diff().view([-1 if i == d else 1 for i in itertools.islice(itertools.count(), dims)])
        counts = counts / counts.sum() / volumes
    return _values.return_type("torch.return_types.histogramdd", ("hist", "bin_edges"))((counts, tuple(edges)))


def _bin(x, edges):
    if not edges[0] <= x <= edges[-1]:
        return None
    return min(standard("bisect").bisect_right(edges, x) - 1, len(edges) - 2)
