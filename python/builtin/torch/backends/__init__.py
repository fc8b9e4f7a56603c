"""Libraries that PyTorch can use: none is there, their switches can be set."""

import sys
from contextlib import contextmanager
from types import ModuleType

from .._namespace import missing


class _Backend(ModuleType):
    """Settings of a library."""

    def __init__(self, name, **values):
        super().__init__("torch.backends." + name)
        self.__dict__.update(values)
        sys.modules[self.__name__] = self

    @contextmanager
    def flags(self, **values):
        before = {k: self.__dict__.get(k) for k in values}
        self.__dict__.update(values)
        try:
            yield
        finally:
            self.__dict__.update(before)


class _Matmul:
    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True


def _no(*args, **kwargs):
    return False


def _yes(*args, **kwargs):
    return True


def _none(*args, **kwargs):
    return None


cudnn = _Backend(
    "cudnn", enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=None,
    is_available=_no, version=_none, is_acceptable=_no,
)  # fmt: skip
cuda = _Backend(
    "cuda", is_built=_no, matmul=_Matmul(), flash_sdp_enabled=_yes, mem_efficient_sdp_enabled=_yes, math_sdp_enabled=_yes,
    enable_flash_sdp=_none, enable_mem_efficient_sdp=_none, enable_math_sdp=_none,
)  # fmt: skip
mps = _Backend("mps", is_built=_no, is_available=_no)
mkl = _Backend("mkl", is_available=_no)
mkldnn = _Backend("mkldnn", is_available=_yes, enabled=True)
openmp = _Backend("openmp", is_available=_yes)
cpu = _Backend("cpu", get_cpu_capability=lambda: "DEFAULT")
quantized = _Backend("quantized", engine="none", supported_engines=["none"])
opt_einsum = _Backend("opt_einsum", is_available=_no, enabled=False, strategy=None)

__getattr__ = missing(__name__)
