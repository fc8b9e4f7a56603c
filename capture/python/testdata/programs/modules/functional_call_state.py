import torch
from torch import nn
from torch.func import functional_call


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))
        self.w = nn.Parameter(torch.ones(1))
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        self.steps.add_(1)
        return x * self.w + self.steps


class Replaces(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        self.steps = self.steps + 1
        if x.sum() < 0:
            raise ValueError("negative")
        return x + self.steps


x = torch.ones(1)
for module in (Counts(), Replaces()):
    given = {"steps": torch.full((1,), 5.0)}
    print(functional_call(module, given, x), given, module.steps, getattr(module, "calls", None))
r = Replaces()
kept = r.steps
try:
    functional_call(r, {"steps": torch.zeros(1)}, -x)
except ValueError as e:
    print(e, r.steps is kept)
bn = nn.BatchNorm1d(2)
state = {k: v.clone() for k, v in bn.state_dict().items()}
functional_call(bn, state, torch.tensor([[1.0, 2.0], [3.0, 6.0]]))
print(bn.running_mean, state["running_mean"], state["num_batches_tracked"])
w = torch.full((1,), 3.0, requires_grad=True)
functional_call(Counts(), {"w": w}, x).backward()
print(w.grad)
c = Counts()
del c.w
print(functional_call(c, {"w": w}, x))
try:
    c(x)
except AttributeError as e:
    print(e)
try:
    functional_call(nn.DataParallel(nn.Linear(1, 1)), {}, x)
except RuntimeError as e:
    print(e)
functional_call(c, {"w": nn.ReLU()}, x)
