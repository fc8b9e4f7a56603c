import torch
from torch import nn
from torch.nn import init

torch.manual_seed(0)
for shape in ((3, 3), (2, 4), (4, 2), (2, 2, 2)):
    w = init.orthogonal_(torch.empty(*shape))
    print(w)
    m = w.flatten(1)
    n = min(m.shape)
    print(torch.allclose(m @ m.T if m.shape[0] == n else m.T @ m, torch.eye(n), atol=1e-6))
print(init.orthogonal_(torch.empty(2, 2, dtype=torch.float64), gain=3.0))
print(init.orthogonal_(torch.empty(0, 2)))
rnn = nn.Linear(3, 3)
init.orthogonal_(rnn.weight, gain=init.calculate_gain("relu"))
print(rnn.weight, torch.rand(1))
