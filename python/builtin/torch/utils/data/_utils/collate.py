"""Makes one batch of a list of samples."""

import collections.abc
import copy
import re
import sys

import torch

default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)

_TEXT = re.compile(r"[SaUO]")


def _is_numpy(elem_type):
    return elem_type.__module__ == "numpy" and elem_type.__name__ not in ("str_", "string_")


def _rebuild(container, mutable, pairs, make):
    """A container like the given one with other values; plain where its type cannot be made so."""
    pairs = list(pairs)
    try:
        if isinstance(container, mutable):
            clone = copy.copy(container)
            for key, value in pairs:
                clone[key] = value
            return clone
        return type(container)(make(pairs))
    except TypeError:
        return make(pairs)


def _values(pairs):
    return [value for _, value in pairs]


def default_convert(data):
    """Turns arrays and numbers of numpy within data into tensors; the rest stays."""
    kind = type(data)
    if isinstance(data, torch.Tensor):
        return data
    if _is_numpy(kind):
        if kind.__name__ == "ndarray" and _TEXT.search(data.dtype.str) is not None:
            return data
        return torch.as_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        pairs = [(key, default_convert(data[key])) for key in data]
        return _rebuild(data, collections.abc.MutableMapping, pairs, dict)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return kind(*(default_convert(d) for d in data))
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]
    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        return _rebuild(data, collections.abc.MutableSequence, enumerate(map(default_convert, data)), _values)
    return data


def collate(batch, *, collate_fn_map=None):
    """Makes a batch by the first sample's type: a function of the map, or part by part."""
    elem = batch[0]
    kind = type(elem)
    if collate_fn_map is not None:
        if kind in collate_fn_map:
            return collate_fn_map[kind](batch, collate_fn_map=collate_fn_map)
        for known in collate_fn_map:
            if isinstance(elem, known):
                return collate_fn_map[known](batch, collate_fn_map=collate_fn_map)

    def together(samples):
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(elem, collections.abc.Mapping):
        pairs = [(key, together([d[key] for d in batch])) for key in elem]
        return _rebuild(elem, collections.abc.MutableMapping, pairs, dict)
    if isinstance(elem, tuple) and hasattr(elem, "_fields"):
        return kind(*(together(samples) for samples in zip(*batch)))
    if isinstance(elem, collections.abc.Sequence):
        if any(len(other) != len(elem) for other in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = list(zip(*batch))
        if isinstance(elem, tuple):
            return [together(samples) for samples in columns]
        return _rebuild(elem, collections.abc.MutableSequence, enumerate(map(together, columns)), _values)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(elem, numpy.ndarray):
        return collate_numpy_array_fn(batch, collate_fn_map=collate_fn_map)
    if numpy is not None and isinstance(elem, (numpy.bool_, numpy.number, numpy.object_)):
        return torch.as_tensor(batch)
    raise TypeError(default_collate_err_msg_format.format(kind))


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Stacks tensors."""
    return torch.stack(batch, 0)


def collate_numpy_array_fn(batch, *, collate_fn_map=None):
    """Stacks arrays as tensors."""
    if _TEXT.search(batch[0].dtype.str) is not None:
        raise TypeError(default_collate_err_msg_format.format(batch[0].dtype))
    return collate([torch.as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_float_fn(batch, *, collate_fn_map=None):
    """A tensor of float64."""
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    """A tensor of integers."""
    return torch.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """The strings as they are."""
    return batch


default_collate_fn_map = {
    torch.Tensor: collate_tensor_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch):
    """Stacks tensors, makes tensors of numbers, and does so within dicts and sequences."""
    return collate(batch, collate_fn_map=default_collate_fn_map)
