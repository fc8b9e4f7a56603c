import torch
from torch.distributions import Distribution, Normal, constraints


class Shifted(Distribution):
    arg_constraints = {"shift": constraints.real}
    support = constraints.real
    has_rsample = True

    def __init__(self, shift, validate_args=None):
        self.shift = torch.as_tensor(shift)
        self.base = Normal(0.0, 1.0)
        super().__init__(self.shift.shape, validate_args=validate_args)

    def rsample(self, sample_shape=torch.Size()):
        return self.shift + self.base.rsample(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self.base.log_prob(value - self.shift)


class Wide(Normal):
    def __init__(self, loc):
        super().__init__(loc, 10.0)


torch.manual_seed(0)
d = Shifted(torch.tensor([1.0, 2.0]))
print(d, d.sample((2,)), d.log_prob(torch.zeros(2)))
print(Wide(0.0), Wide(torch.zeros(2)).sample())
for f in (lambda: Wide(0.0).expand((2,)), lambda: d.mean, lambda: d.mode, lambda: d.cdf(torch.zeros(2)), lambda: d.entropy(), lambda: d.expand((2,)), lambda: Shifted(float("nan"))):
    try:
        f()
    except (NotImplementedError, ValueError) as e:
        print(type(e).__name__, str(e).replace("__main__.", ""))
