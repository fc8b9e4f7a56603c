import torch

print(torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode(), torch.get_float32_matmul_precision(), torch.is_warn_always_enabled(), torch.is_grad_enabled())
torch.use_deterministic_algorithms(True)
torch.set_float32_matmul_precision("high")
torch.set_num_threads(1)
print(torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode(), torch.get_float32_matmul_precision(), torch.get_num_threads())
torch.set_deterministic_debug_mode("warn")
print(torch.get_deterministic_debug_mode(), torch.is_deterministic_algorithms_warn_only_enabled())
print(torch.__version__ >= "2.0", torch.__version__ >= (2, 0), torch.__version__ < (3,), torch.version.cuda, torch.backends.cudnn.enabled)
print(torch.is_tensor(1), torch.is_complex(torch.ones(1)), torch.is_floating_point(torch.ones(1)), torch.typename(torch.ones(1)), torch.typename([]), torch.is_nonzero(torch.tensor(2)))
for bad in (lambda: torch.set_num_threads(0), lambda: torch.set_num_threads(1.5), lambda: torch.no_such, lambda: torch.linalg.no_such, lambda: torch.Tensor.no_such, lambda: torch.set_deterministic_debug_mode("x"), lambda: torch.is_complex(1), lambda: torch.symeig(torch.ones(1, 1)), lambda: torch.is_nonzero(torch.ones(2))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
