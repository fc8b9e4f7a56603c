"""What has to be fixed for results to repeat. Import this before torch."""

from __future__ import annotations

import os

# AVX2 kernels everywhere: AVX512 ones sum in another order and change last bits.
os.environ["ATEN_CPU_CAPABILITY"] = "avx2"
os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"
os.environ["OMP_NUM_THREADS"] = "1"


def apply() -> None:
    """One thread, and every warning each time instead of once a process."""
    import torch

    torch.set_num_threads(1)
    torch.set_warn_always(True)
    torch.manual_seed(0)
