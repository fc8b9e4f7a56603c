"""Parts of PyTorch that libraries import and may never use."""
import torch
import torch.distributed as dist
import torch.fx
import torch.hub
import torch.multiprocessing as mp
import torch.onnx
import torch.profiler
import torch.quantization
from torch import Tensor, nn, optim
from torch._functorch.eager_transforms import jvp
from torch.ao.quantization import quantize_dynamic
from torch.autograd.profiler import record_function
from torch.distributed import ReduceOp, all_reduce, init_process_group
from torch.distributed.elastic.multiprocessing.errors import record
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.functional import Tensor as FunctionalTensor, einsum
from torch.fx.experimental.proxy_tensor import make_fx
from torch.hub import load_state_dict_from_url
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.onnx.errors import OnnxExporterError
from torch.optim.optimizer import Optimizer
from torch.profiler import ProfilerActivity, profile, schedule
from torch.serialization import FILE_LIKE, MAP_LOCATION
from torch.types import Device
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.data.distributed import DistributedSampler
from typing import Optional


class Counter(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def load(path, map_location: MAP_LOCATION = None, device: Optional[Device] = None) -> torch.fx.GraphModule:
    return torch.load(path, map_location=map_location)


print(dist.is_initialized(), torch.onnx.is_in_onnx_export(), mp.get_sharing_strategy() in mp.get_all_sharing_strategies())
try:
    dist.get_rank()
except ValueError as e:
    print(e)

torch.manual_seed(0)
model = nn.Linear(2, 1)
with record_function("forward"), torch.profiler.record_function("inner"):
    loss = model(torch.ones(3, 2)).sum()
loss.backward()
print(isinstance(model, (DDP, FSDP, torch.fx.GraphModule)), model.weight.grad)

plan = schedule(wait=1, warmup=1, active=2, repeat=1)
print([plan(i).name for i in range(6)])
seen = []
with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=lambda p: seen.append(p.step_num)) as p:
    for _ in range(6):
        model(torch.ones(3, 2))
        p.step()
print(len(seen), einsum("i,i->", torch.ones(2), torch.ones(2)), issubclass(optim.SGD, Optimizer))
print([torch.distributed.is_available.__name__, hasattr(torch.utils, "nothing"), hasattr(torch.onnx, "nothing")])
try:
    from torch.optim import Nothing
except ImportError as e:
    print(type(e).__name__)
