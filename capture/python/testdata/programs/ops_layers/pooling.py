import torch
import torch.nn.functional as F

def fill(*shape):
    n = 1
    for s in shape:
        n *= s
    return ((torch.arange(float(n)) * 7 % 13 - 5) / 4).reshape(shape).requires_grad_()


x1, x2, x3 = fill(1, 2, 6), fill(1, 2, 4, 4), fill(1, 1, 4, 4, 4)
calls = [
    lambda: F.max_pool1d(x1, 2), lambda: F.max_pool2d(x2, 2), lambda: F.max_pool3d(x3, 2), lambda: F.max_pool2d(x2, 3, stride=1, padding=1), lambda: F.max_pool2d(x2, 2, dilation=2, stride=1), lambda: F.max_pool1d(x1, 4, ceil_mode=True), torch.max_pool1d and (lambda: torch.max_pool1d(x1, 3)), lambda: torch.max_pool2d(x2, (2, 1)), lambda: torch.max_pool3d(x3, 2),
    lambda: F.avg_pool1d(x1, 2), lambda: F.avg_pool2d(x2, 2), lambda: F.avg_pool3d(x3, 2), lambda: F.avg_pool2d(x2, 3, 1, 1, count_include_pad=False), lambda: F.avg_pool2d(x2, 2, divisor_override=3), lambda: torch.avg_pool1d(x1, 3, 1, 1), lambda: F.avg_pool2d(x2, 3, 2, ceil_mode=True),
    lambda: F.adaptive_avg_pool1d(x1, 4), lambda: F.adaptive_avg_pool2d(x2, (3, 2)), lambda: F.adaptive_avg_pool3d(x3, 3), lambda: F.adaptive_avg_pool2d(x2, (None, 1)), lambda: torch.adaptive_avg_pool1d(x1, 1), lambda: F.adaptive_avg_pool2d(x2, 1), lambda: F.adaptive_avg_pool3d(x3, 1),
    lambda: F.adaptive_max_pool1d(x1, 4), lambda: F.adaptive_max_pool2d(x2, 3), lambda: F.adaptive_max_pool3d(x3, (1, 2, 3)), lambda: torch.adaptive_max_pool1d(x1, 2)[0],
    lambda: F.lp_pool1d(x1.abs() + 1, 2, 2), lambda: F.lp_pool2d(x2.abs() + 1, 3, 2), lambda: F.lp_pool3d(x3.abs() + 1, 2, 2, stride=1),
]
for i, call in enumerate(calls):
    y = call()
    grads = torch.autograd.grad((y * y).sum(), [x1, x2, x3], allow_unused=True)
    g = next(g for g in grads if g is not None)
    print(i, tuple(y.shape), y.flatten()[:6], y.grad_fn.name(), g.flatten()[:8], g.sum())
values, where = F.max_pool2d(x2, 2, return_indices=True)
print(where, F.max_unpool2d(values, where, 2), F.max_unpool2d(values, where, 2, output_size=(5, 4)).shape)
v1, w1 = F.max_pool1d(x1, 2, return_indices=True)
v3, w3 = F.max_pool3d(x3, 2, return_indices=True)
print(w1, F.max_unpool1d(v1, w1, 2), w3.flatten(), F.max_unpool3d(v3, w3, 2).sum(), F.adaptive_max_pool1d(x1, 2, return_indices=True), F.adaptive_max_pool2d(x2, 2, return_indices=True)[1], F.adaptive_max_pool3d(x3, 1, return_indices=True), F.max_pool1d_with_indices(x1, 3), F.max_pool2d_with_indices(x2, 4), F.max_pool3d_with_indices(x3, 4))
(F.max_unpool2d(values, where, 2) * 2).sum().backward()
print(x2.grad)
for bad in (lambda: F.max_pool2d(x2, 5), lambda: F.max_pool2d(x2, 2, padding=2), lambda: F.avg_pool2d(x2, 0), lambda: F.max_pool1d(torch.ones(3), 2), lambda: F.avg_pool1d(x1, 2, divisor_override=1), lambda: F.adaptive_avg_pool2d(x1[0], 2), lambda: F.adaptive_avg_pool2d(x2, -1), lambda: F.avg_pool2d(x2, 2, divisor_override=0), lambda: F.max_unpool2d(values, where[:, :1], 2), lambda: F.max_pool2d(x2, (2, 2, 2)), lambda: F.avg_pool3d(x2, 2), lambda: F.max_pool2d(x2, 2, stride=0), lambda: F.adaptive_max_pool1d(torch.ones(2), 1), lambda: F.max_pool2d(x2.long(), 2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
