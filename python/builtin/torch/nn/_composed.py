"""Functions of torch.nn.functional that are Python in PyTorch too: they warn, or call back."""

import warnings

import torch
from torch._engine import function
from torch.overrides import wrap_torch_function


def _get_softmax_dim(name, ndim, stacklevel):
    """The dimension that the softmax functions take when none is given, with a warning."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(input), divided by its sum along dim."""
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-input)."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(input))."""
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of the Gumbel-softmax distribution; with hard, one-hot with the gradient of the soft sample."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.")
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """The triplet margin loss with any distance."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, "
            f"but got: anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    loss = torch.clamp_min(margin + near - far, 0)
    if reduction == "none":
        return loss
    return torch.sum(loss) if reduction == "sum" else torch.mean(loss)


def _check_extent(input, value, what):
    """A list of sizes or factors has one for each dimension that is resized."""
    if isinstance(value, (list, tuple)) and len(value) != input.dim() - 2:
        given, names = ("output size of", "output size in (o1, o2, ...,oK)")
        if what == "scale_factor":
            given, names = ("scale_factor of shape", "scale_factor in (s1, s2, ...,sK)")
        raise ValueError(
            f"Input and {what} must have the same number of spatial dimensions, but got input with spatial "
            f"dimensions of {list(input.shape[2:])} and {given} {value}. Please provide input tensor in "
            f"(N, C, d1, d2, ...,dK) format and {names} format."
        )


def _is_integer(value):
    return isinstance(value, int) or isinstance(value, torch.Tensor) and not value.is_floating_point()


_interpolate = function("torch.nn.functional.interpolate")


@wrap_torch_function(lambda input, *args, **kwargs: (input,))
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Resizes all dimensions after the first two."""
    if (size is None) != (scale_factor is None) and (align_corners is None or mode not in _WITHOUT_CORNERS):
        _check_extent(input, size, "output")
        _check_extent(input, scale_factor, "scale_factor")
        if isinstance(size, (list, tuple)) and not all(_is_integer(n) for n in size):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], "
                f"but got size with types {[type(n) for n in size]}"
            )
    return _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)


_WITHOUT_CORNERS = ("nearest", "area", "nearest-exact")


def _deprecated(name):
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3
    )


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate, by its old name."""
    _deprecated("upsample")
    return torch.nn.functional.interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate to the nearest pixel, by its old name."""
    _deprecated("upsample_nearest")
    return torch.nn.functional.interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate between pixels with aligned corners, by its old name."""
    _deprecated("upsample_bilinear")
    return torch.nn.functional.interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def assert_int_or_pair(arg, arg_name, message):
    """Asserts that arg is a number or has two of them."""
    assert isinstance(arg, int) or len(arg) == 2, message.format(arg_name)


for _f in list(globals().values()):
    if getattr(_f, "__module__", None) == __name__:
        _f.__module__ = "torch.nn.functional"
del _f
