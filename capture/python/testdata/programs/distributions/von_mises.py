import torch
from torch.distributions import VonMises

torch.manual_seed(0)
d = VonMises(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 5.0]))
print(d, d.sample((3,)), d.log_prob(torch.tensor([0.5, -3.0])), d.mean, d.mode, d.variance)
print(d.expand((2, 2)).sample(), VonMises(torch.tensor(0.0, dtype=torch.double), torch.tensor(1e-6, dtype=torch.double)).sample((2,)))
k = torch.tensor(2.0, requires_grad=True)
VonMises(torch.tensor(0.0), k).log_prob(torch.tensor(1.0)).backward()
print(k.grad)
