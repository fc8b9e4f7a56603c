import warnings

import torch
from torch.nn import init

warnings.simplefilter("always")
for name in ("linear", "conv2d", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
    print(name, init.calculate_gain(name))
print(init.calculate_gain("leaky_relu", 0.2), init.calculate_gain("leaky_relu", 1))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: init.calculate_gain("gelu"))
attempt(lambda: init.calculate_gain("leaky_relu", "x"))
attempt(lambda: init.calculate_gain("leaky_relu", True))
attempt(lambda: init.xavier_uniform_(torch.empty(3)))
attempt(lambda: init.kaiming_uniform_(torch.empty(())))
attempt(lambda: init.kaiming_normal_(torch.empty(2, 2), mode="fan"))
attempt(lambda: init.kaiming_normal_(torch.empty(2, 2), nonlinearity="swish"))
attempt(lambda: init.eye_(torch.empty(2)))
attempt(lambda: init.dirac_(torch.empty(2, 2)))
attempt(lambda: init.dirac_(torch.empty(3, 2, 1), groups=2))
attempt(lambda: init.sparse_(torch.empty(2), 0.5))
attempt(lambda: init.orthogonal_(torch.empty(2)))
attempt(lambda: init.kaiming_uniform_(torch.empty(0, 2)))
attempt(lambda: init.kaiming_normal_(torch.empty(2, 0)).shape)
attempt(lambda: init.trunc_normal_(torch.empty(2), mean=10.0).shape)
attempt(lambda: init.uniform_(torch.empty(2), 3.0, 1.0))
attempt(lambda: init.normal_(torch.empty(2), 0.0, -1.0))
attempt(lambda: init.uniform_(torch.empty(2, dtype=torch.int64)))
attempt(lambda: init.constant_(torch.empty(2), "x"))
print(init._calculate_fan_in_and_fan_out(torch.empty(4, 3, 5, 5)))
torch.manual_seed(0)
print(init.uniform(torch.empty(2)), init.normal.__name__)
print(init.xavier_normal(torch.empty(2, 2)))
print(init.constant(torch.empty(2), 1.5), init.eye(torch.empty(2, 2)))
