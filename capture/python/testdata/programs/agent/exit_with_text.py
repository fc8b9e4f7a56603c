import sys

import torch

x = torch.ones(2)
try:
    sys.exit("the sum is %g" % x.sum().item())
finally:
    print("finally", x)
