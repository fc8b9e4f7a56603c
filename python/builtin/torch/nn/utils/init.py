"""Making modules without initial values."""

import torch
from gradtui._agent.imports import standard


def skip_init(module_cls, *args, **kwargs):
    """A module whose parameters have no defined values; no random number is drawn."""
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in standard("inspect").signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    before = torch.get_rng_state()
    try:
        return module_cls(*args, **kwargs).to_empty(device=device)
    finally:
        torch.set_rng_state(before)
