"""vmap: a function of samples applied to batches, one sample after the other."""

import functools
from contextlib import nullcontext

import torch
from torch.utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_unflatten


def _name(func):
    return func.__name__ if hasattr(func, "__name__") else repr(func)


def _check_out_dims(out_dims, func):
    for d in tree_leaves(out_dims):
        if d is not None and not isinstance(d, int):
            raise ValueError(
                f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be "
                "an int, None or a python collection of ints representing where in the outputs the "
                "vmapped dimension should appear."
            )


def _batched(in_dims, args, func):
    """The leaves of the arguments, the mapped dimension of each, their nesting and the size of the batch."""
    where = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            where + "expected `in_dims` to be int or a (potentially nested) tuple "
            f"matching the structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add "
            "inputs, or you are trying to vmap over a function with no inputs. "
            "The latter is unsupported."
        )
    leaves, spec = tree_flatten(args)
    dims = _broadcast_to_and_flatten(in_dims, spec)
    if dims is None:
        raise ValueError(
            where + "in_dims is not compatible with the structure of `inputs`. "
            f"in_dims has structure {tree_flatten(in_dims)[1]} but inputs "
            f"has structure {spec}."
        )
    for i, (x, d) in enumerate(zip(leaves, dims)):
        if d is None:
            continue
        if not isinstance(d, int):
            raise ValueError(
                where + f"Got in_dim={d} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(x, torch.Tensor):
            raise ValueError(
                where + f"Got in_dim={d} for an input but the input is of type {type(x)}. "
                "We cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -x.dim() <= d < x.dim():
            raise ValueError(
                where + f"Got in_dim={d} for some input, but that input is a Tensor of dimensionality {x.dim()} "
                f"so expected in_dim to satisfy -{x.dim()} <= in_dim < {x.dim()}."
            )
        dims[i] = d % x.dim()
    sizes = [x.size(d) for x, d in zip(leaves, dims) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(n != sizes[0] for n in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped "
            f"dimension, got sizes {sizes} for the mapped dimension"
        )
    return leaves, dims, spec, sizes[0]


def _out_dims(out_dims, spec, func):
    if spec.is_leaf() and isinstance(out_dims, tuple) and len(out_dims) == 1:
        return out_dims
    dims = _broadcast_to_and_flatten(out_dims, spec)
    if dims is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): "
            "out_dims is not compatible with the structure of `outputs`. "
            f"out_dims has structure {tree_flatten(out_dims)[1]} but outputs "
            f"has structure {spec}."
        )
    return dims


def _joined(samples, dim, name):
    """The results of all samples as one batch."""
    if dim is None:
        return samples[0]
    if not isinstance(samples[0], torch.Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return "
            f"Tensors, got type {type(samples[0])}. "
            "Did you mean to set out_dims= to None for output?"
        )
    return torch.stack(samples, dim)


def _run(func, leaves, dims, spec, size, out_dims, randomness, kwargs):
    before = torch.get_rng_state()
    results = []
    for i in range(size):
        sample = (x if d is None else x.select(d, i) for x, d in zip(leaves, dims))
        if randomness == "same":
            torch.set_rng_state(before)
        with torch.autograd.keeping_graphs() if i < size - 1 else nullcontext():
            results.append(tree_flatten(func(*tree_unflatten(sample, spec), **kwargs)))
        if i == 0 and randomness == "error" and not torch.equal(before, torch.get_rng_state()):
            raise RuntimeError(
                "vmap: called random operation while in randomness error mode. Please either use the 'same' or"
                " 'different' randomness flags on vmap or perform the randomness operation out of vmap"
            )
    if not results:
        from torch._unsupported import unsupported

        unsupported("torch.vmap over a dimension of size 0")
    nesting = results[0][1]
    dims = _out_dims(out_dims, nesting, func)
    columns = zip(*(leaves for leaves, _ in results))
    return tree_unflatten([_joined(c, d, _name(func)) for c, d in zip(columns, dims)], nesting)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that applies func to each slice of its arguments and stacks the results."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        _check_out_dims(out_dims, func)
        leaves, dims, spec, size = _batched(in_dims, args, func)
        return _run(func, leaves, dims, spec, size, out_dims, randomness, kwargs)

    return wrapped
