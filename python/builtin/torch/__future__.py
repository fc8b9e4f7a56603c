"""Choices about how modules convert their parameters."""

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value):
    """Whether conversions make new parameters instead of changing the old ones."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """Whether conversions make new parameters."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Whether conversions swap the tensors of parameters with converted ones."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """Whether conversions swap the tensors."""
    return _swap
