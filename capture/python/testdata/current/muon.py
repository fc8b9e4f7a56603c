import torch
from torch.optim import Muon

torch.manual_seed(0)


def train(rows, columns, **options):
    w = torch.nn.Parameter((torch.arange(float(rows * columns)).reshape(rows, columns) - 5).sin())
    x = torch.arange(4.0 * columns).reshape(4, columns).cos()
    opt = Muon([w], **options)
    for _ in range(3):
        opt.zero_grad()
        ((x @ w.T).tanh() ** 2).sum().backward()
        opt.step()
    print(sorted(opt.state[w]), opt.param_groups[0]["adjust_lr_fn"])
    for values in (w, opt.state[w]["momentum_buffer"]):
        print(" ".join("%.5f" % v for v in values.flatten().tolist()))


train(2, 3)
train(3, 2, lr=0.1, weight_decay=0.0, nesterov=False)
train(4, 4, lr=0.05, momentum=0.5, adjust_lr_fn="match_rms_adamw", ns_steps=3)
train(4, 2, lr=0.02, adjust_lr_fn="original", ns_coefficients=(2.0, -1.5, 0.5))
w = torch.nn.Parameter(torch.ones(2, 2))
for run in (
    lambda: Muon([torch.nn.Parameter(torch.ones(3))]),
    lambda: Muon([w], lr=-1.0),
    lambda: Muon([w], momentum=-1.0),
    lambda: Muon([w], weight_decay=-1.0),
    lambda: Muon([w], adjust_lr_fn="other"),
    lambda: Muon([w], lr=torch.ones(2)),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
w.grad = torch.ones(2, 2)
opt = Muon([w], ns_steps=100)
try:
    opt.step()
except ValueError as e:
    print(e)
other = Muon([w], lr=0.5)
opt = Muon([w], lr=0.1)
opt.step()
other.load_state_dict(opt.state_dict())
print(other.param_groups[0]["lr"], other.state[w]["momentum_buffer"])
