"""What libraries that train models take from PyTorch beside layers and optimizers."""
import torch
import torch.fx
from torch import nn
from torch._C import _TensorMeta
from torch.nn.parallel.distributed import DistributedDataParallel
from torch.nn.parallel.scatter_gather import gather, scatter
from torch.utils.flop_counter import FlopCounterMode


@torch.fx.wrap
def whole(x):
    return x + 1


print(whole(torch.ones(2)), DistributedDataParallel is nn.parallel.DistributedDataParallel, callable(scatter), callable(gather))
print(issubclass(_TensorMeta, type), isinstance(torch.ones(1), torch.Tensor), FlopCounterMode(display=False).get_total_flops())
print(torch._C._nn._parse_to("cpu", torch.float64, non_blocking=True)[:3], torch._C._nn._parse_to(torch.ones(1))[:2])
