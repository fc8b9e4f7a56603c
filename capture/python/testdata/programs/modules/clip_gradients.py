import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm

a = nn.Parameter(torch.tensor([3.0, 4.0]))
b = nn.Parameter(torch.tensor([[1.0]]))
c = nn.Parameter(torch.ones(2))


def grads(x=3.0, y=4.0, z=12.0):
    a.grad, b.grad, c.grad = torch.tensor([x, y]), torch.tensor([[z]]), None


for norm in (2.0, 1, float("inf"), 0.5, 3, -1.0):
    grads()
    print(norm, clip_grad_norm_([a, b, c], 1.0, norm), a.grad, b.grad)
grads()
print(clip_grad_norm_(a, 100.0), a.grad)
grads()
print(clip_grad_norm_(iter([a, b]), max_norm=6.5), a.grad, b.grad, c.grad)
print(clip_grad_norm_([c], 1.0), clip_grad_norm_([], 1.0))
grads(5.0, -7.0, 0.5)
print(clip_grad_value_([a, b, c], 2.0), a.grad, b.grad)
grads(5.0, -7.0, 0.5)
clip_grad_value_(a, 1)
print(a.grad)
grads(float("inf"))
print(clip_grad_norm_([a, b], 1.0), a.grad, b.grad)
for kw in ({"error_if_nonfinite": True}, {"norm_type": 1, "error_if_nonfinite": True}):
    grads(float("nan"))
    try:
        clip_grad_norm_([a, b], 1.0, **kw)
    except RuntimeError as e:
        print(e)
try:
    clip_grad_norm_([a], "x")
except ValueError as e:
    print(e)
grads()
total = get_total_norm([a.grad, b.grad])
print(total, get_total_norm([], 2.0), get_total_norm(a.grad, 1.0))
clip_grads_with_norm_([a, b], 2.0, total)
print(a.grad, b.grad)
grads()
print(clip_grad_norm_([a, b], 1.0, foreach=False), a.grad, clip_grad_norm_([a, b], 1.0, foreach=True))
print(nn.utils.clip_grad_norm([a, b], 0.5))
