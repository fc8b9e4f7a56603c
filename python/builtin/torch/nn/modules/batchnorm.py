"""Batch normalization."""

import torch
import torch.nn.functional as F
from torch.nn import init
from torch.nn.modules._layer import publish
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [f"{lazy}BatchNorm{n}d" for n in (1, 2, 3) for lazy in ("", "Lazy")] + ["SyncBatchNorm"]


class _NormBase(Module):
    """What normalization of channels needs: weight and bias, and running statistics."""

    _version = 2

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if self.affine:
            self.weight = Parameter(torch.empty(num_features, device=device, dtype=dtype))
            self.bias = Parameter(torch.empty(num_features, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if self.track_running_stats:
            self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype))
            self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long, device=device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats:
            # States of before version 2 have no such number.
            count = self.num_batches_tracked
            state_dict.setdefault(
                prefix + "num_batches_tracked", torch.tensor(0, dtype=torch.long) if count is None else count
            )
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _BatchNorm(_NormBase):
    """Normalizes channels by the statistics of the batch while training, by the running ones else."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input):
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        mean, var = self.running_mean, self.running_var
        if self.training and self.track_running_stats:
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    share = 1.0 / float(self.num_batches_tracked)
        from_batch = self.training or (mean is None and var is None)
        if self.training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, from_batch, share, self.eps)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """A normalization that learns num_features from its first input."""

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if self.affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            self.bias = UninitializedParameter(device=device, dtype=dtype)
        if self.track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        tensors = [self.weight, self.bias] if self.affine else []
        if self.track_running_stats:
            tensors += [self.running_mean, self.running_var]
        for tensor in tensors:
            tensor.materialize((self.num_features,))
        self.reset_parameters()


def _batch_norm(n, ranks, expected):
    """Batch normalization over n dimensions, and the lazy one."""

    class BatchNorm(_BatchNorm):
        """Normalizes each channel of (N, C, ...)."""

        def _check_input_dim(self, input):
            if input.dim() not in ranks:
                raise ValueError(f"expected {expected} input (got {input.dim()}D input)")

    class LazyBatchNorm(_LazyNormBase, _BatchNorm):
        """Batch normalization that learns num_features from its first input."""

        cls_to_become = BatchNorm
        _check_input_dim = BatchNorm._check_input_dim

    publish(BatchNorm, f"BatchNorm{n}d")
    publish(LazyBatchNorm, f"LazyBatchNorm{n}d")


_batch_norm(1, (2, 3), "2D or 3D")
_batch_norm(2, (4,), "4D")
_batch_norm(3, (5,), "5D")


class SyncBatchNorm(_BatchNorm):
    """Batch normalization over all processes; there is one process here."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """The module with all batch normalizations in it replaced by this one."""
        result = module
        if isinstance(module, _BatchNorm):
            result = SyncBatchNorm(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            names = ["running_mean", "running_var", "num_batches_tracked", "training"]
            for name in (["weight", "bias"] if module.affine else []) + names:
                setattr(result, name, getattr(module, name))
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result
