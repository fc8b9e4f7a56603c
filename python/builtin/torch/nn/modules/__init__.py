"""The modules of torch.nn."""

from torch.nn.modules.module import Module  # isort: skip  (everything else needs it)
from torch.nn.modules import (
    activation,
    adaptive,
    batchnorm,
    channelshuffle,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    pixelshuffle,
    pooling,
    rnn,
    sparse,
    transformer,
    upsampling,
)
from torch._namespace import missing

__all__ = ["Module"]
for _file in (
    activation,
    adaptive,
    batchnorm,
    channelshuffle,
    container,
    conv,
    distance,
    dropout,
    flatten,
    fold,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    pixelshuffle,
    pooling,
    rnn,
    sparse,
    transformer,
    upsampling,
):
    for _name in _file.__all__:
        globals()[_name] = getattr(_file, _name)
    __all__ += _file.__all__
del _file, _name


__getattr__ = missing(__name__)
