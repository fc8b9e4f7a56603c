"""Instance normalization."""

import warnings

import torch.nn.functional as F
from torch.nn.modules._layer import publish
from torch.nn.modules.batchnorm import _LazyNormBase, _NormBase

__all__ = [f"{lazy}InstanceNorm{n}d" for lazy in ("", "Lazy") for n in (1, 2, 3)]


class _InstanceNorm(_NormBase):
    """Normalizes each channel of each sample."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def _get_no_batch_dim(self):
        raise NotImplementedError

    def _handle_no_batch_input(self, input):
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input):
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        if local_metadata.get("version", None) is None and not self.track_running_stats:
            found = [name for name in ("running_mean", "running_var") if prefix + name in state_dict]
            if found:
                names, kind = " and ".join(f'"{prefix}{name}"' for name in found), self.__class__.__name__
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {names} for {kind} with track_running_stats=False. "
                    "If state_dict is a checkpoint saved before 0.4.0, this may be expected because "
                    f"{kind} does not track running stats by default since 0.4.0. Please remove these keys from "
                    "state_dict. If the running stats are actually needed, instead set track_running_stats=True "
                    f"in {kind} to enable them. See the documentation of {kind} for details."
                )
            for name in found:
                state_dict.pop(prefix + name)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )

    def forward(self, input):
        self._check_input_dim(input)
        dim = input.dim() - self._get_no_batch_dim()
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={dim} to match num_features ({self.num_features}), "
                    f"but got: {input.size(dim)}."
                )
            warnings.warn(
                f"input's size at dim={dim} does not match num_features. You can silence this warning by not "
                "passing in num_features, which is not used because affine=False"
            )
        if dim == 0:
            return self._handle_no_batch_input(input)
        return self._apply_instance_norm(input)


def _instance_norm(n):
    """Instance normalization over n dimensions, and the lazy one."""

    class InstanceNorm(_InstanceNorm):
        """Normalizes each channel of each sample of (N, C, ...) or (C, ...)."""

        def _get_no_batch_dim(self):
            return n + 1

        def _check_input_dim(self, input):
            if input.dim() not in (n + 1, n + 2):
                raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    class LazyInstanceNorm(_LazyNormBase, _InstanceNorm):
        """Instance normalization that learns num_features from its first input."""

        cls_to_become = InstanceNorm
        _get_no_batch_dim = InstanceNorm._get_no_batch_dim
        _check_input_dim = InstanceNorm._check_input_dim

    publish(InstanceNorm, f"InstanceNorm{n}d")
    publish(LazyInstanceNorm, f"LazyInstanceNorm{n}d")


for _n in 1, 2, 3:
    _instance_norm(_n)
del _n
