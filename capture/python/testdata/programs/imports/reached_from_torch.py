"""Parts of PyTorch that a program reaches without importing them, as libraries do."""
import torch
from torch.distributions.categorical import Distribution, probs_to_logits
from torch.distributions.gamma import ExponentialFamily
from torch.distributions.multivariate_normal import MultivariateNormal, _batch_mahalanobis, lazy_property
from torch.distributions.normal import Normal, _standard_normal, broadcast_all, constraints

print(torch.distributed.is_initialized(), torch.profiler.ProfilerActivity.CPU.name, torch.onnx.is_in_onnx_export())
print(torch.multiprocessing.get_sharing_strategy() in torch.multiprocessing.get_all_sharing_strategies())
print(callable(torch.hub.load_state_dict_from_url), torch.__future__.get_overwrite_module_params_on_conversion())
print(torch.cuda.amp.GradScaler.__name__, torch.nn.utils.rnn.pad_sequence([torch.ones(1), torch.ones(2)]).shape)

# Tracing is asked about by code that must not branch on values.
print(torch._C._get_tracing_state(), torch._C._log_api_usage_once("a library"))

torch.manual_seed(0)
print(issubclass(MultivariateNormal, Distribution), issubclass(Normal, ExponentialFamily), constraints.positive)
print(_standard_normal((2,), dtype=torch.float32, device="cpu"), broadcast_all(torch.zeros(2), 1.0))
print(_batch_mahalanobis(torch.eye(2), torch.ones(2)), probs_to_logits(torch.tensor([0.5, 0.5])), lazy_property.__name__)
try:
    from torch.distributions.normal import Nothing
except ImportError as e:
    print(type(e).__name__)
