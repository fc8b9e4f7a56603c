"""Processes that work together, which the built-in engine does not serve: there is one process and no group."""

from .._namespace import missing


def is_available():
    return False


def is_initialized():
    return False


is_mpi_available = is_nccl_available = is_gloo_available = is_ucc_available = is_xccl_available = is_available


def is_torchelastic_launched():
    import os

    return os.environ.get("TORCHELASTIC_RUN_ID") is not None


def is_backend_available(backend):
    return False


def _no_group(*args, **kwargs):
    raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


get_rank = get_world_size = get_backend = barrier = all_reduce = all_gather = broadcast = reduce = _no_group
all_gather_object = broadcast_object_list = destroy_process_group = reduce_scatter = scatter = gather = send = recv = _no_group

__getattr__ = missing(__name__)
