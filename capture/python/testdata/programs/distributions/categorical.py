import torch
from torch.distributions import Categorical, OneHotCategorical, OneHotCategoricalStraightThrough

torch.manual_seed(0)
d = Categorical(torch.tensor([1.0, 2.0, 1.0]))
print(d, d.probs, d.logits, d.entropy(), d.mode, d.mean, d.variance)
print(d.sample(), d.sample((5,)), d.sample((2, 3)).shape)
logits = torch.tensor([[0.1, 0.2, -1.0], [3.0, 0.0, 0.0]], requires_grad=True)
e = Categorical(logits=logits)
s = e.sample((2,))
print(s, e.log_prob(s), e.support, e.enumerate_support().shape)
e.log_prob(torch.tensor([2, 0])).sum().backward()
print(logits.grad)
print(e.expand((4, 2)), e.expand((4, 2)).sample().shape)
o = OneHotCategorical(torch.tensor([0.2, 0.3, 0.5]))
print(o, o.sample((3,)), o.mode, o.mean, o.variance, o.entropy(), o.enumerate_support())
print(o.log_prob(torch.tensor([0.0, 1.0, 0.0])))
w = torch.tensor([0.2, 0.3, 0.5], requires_grad=True)
st = OneHotCategoricalStraightThrough(w).rsample()
print(st)
(st * torch.arange(3.0)).sum().backward()
print(w.grad)
try:
    o.log_prob(torch.tensor([1.0, 1.0, 0.0]))
except ValueError as err:
    print(err)
