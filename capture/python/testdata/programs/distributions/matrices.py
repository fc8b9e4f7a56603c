import warnings

import torch
from torch.distributions import LKJCholesky, Wishart

torch.manual_seed(0)
d = LKJCholesky(3, 0.5)
L = d.sample()
print(d, d.event_shape, L, L @ L.mT, d.log_prob(L))
print(LKJCholesky(2, torch.tensor([1.0, 2.0])).sample().shape, d.expand((2,)).sample((3,)).shape)
warnings.simplefilter("ignore")
w = Wishart(torch.tensor(4.0), covariance_matrix=torch.tensor([[1.0, 0.3], [0.3, 2.0]]))
x = w.rsample()
print(w, x, w.log_prob(x), w.mean, w.mode, w.variance, w.entropy())
for f in (lambda: Wishart(1.0, torch.eye(3)), lambda: Wishart(5.0, torch.ones(3)), lambda: Wishart(5.0)):
    try:
        f()
    except (ValueError, AssertionError) as e:
        print(type(e).__name__, e)
