"""Names and numbers of the reductions of losses, also from size_average and reduce."""

import warnings

_NUMBERS = {"none": 0, "mean": 1, "sum": 2}


def get_enum(reduction):
    """The number of a reduction."""
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        reduction = "mean"
    if reduction not in _NUMBERS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return _NUMBERS[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    """The reduction that the deprecated arguments stand for; None stands for True."""
    if reduce is not None and not reduce:
        reduction = "none"
    elif size_average is not None and not size_average:
        reduction = "sum"
    else:
        reduction = "mean"
    if emit_warning:
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead."
        )
    return reduction


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The number of the reduction that the deprecated arguments stand for."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
