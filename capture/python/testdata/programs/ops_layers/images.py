import torch
import torch.nn.functional as F

x1 = torch.arange(4.0).reshape(1, 1, 4).requires_grad_()
x2 = (torch.arange(12.0) * 5 % 7).reshape(1, 1, 3, 4).requires_grad_()
x3 = (torch.arange(8.0) * 3 % 5).reshape(1, 1, 2, 2, 2).requires_grad_()
calls = [
    lambda: F.interpolate(x1, 6), lambda: F.interpolate(x1, scale_factor=2, mode="linear"), lambda: F.interpolate(x1, size=7, mode="linear", align_corners=True), lambda: F.interpolate(x1, 3, mode="nearest-exact"), lambda: F.interpolate(x1, 3, mode="area"),
    lambda: F.interpolate(x2, (5, 6)), lambda: F.interpolate(x2, scale_factor=(2, 1.5)), lambda: F.interpolate(x2, (4, 5), mode="bilinear", align_corners=False), lambda: F.interpolate(x2, (6, 8), mode="bilinear", align_corners=True), lambda: F.interpolate(x2, (5, 5), mode="bicubic"), lambda: F.interpolate(x2, (2, 2), mode="bicubic", align_corners=True), lambda: F.interpolate(x2, (2, 6), mode="nearest-exact"), lambda: F.interpolate(x2, (2, 2), mode="area"), lambda: F.interpolate(x2, scale_factor=0.5, mode="bilinear", recompute_scale_factor=True),
    lambda: F.interpolate(x3, (3, 4, 3)), lambda: F.interpolate(x3, (3, 3, 3), mode="trilinear"), lambda: F.interpolate(x3, (1, 3, 2), mode="trilinear", align_corners=True), lambda: F.interpolate(x3, (3, 1, 3), mode="nearest-exact"), lambda: F.upsample(x2, scale_factor=2), lambda: F.upsample_nearest(x2, 4), lambda: F.upsample_bilinear(x2, (4, 4)),
]
for i, call in enumerate(calls):
    y = call()
    grads = torch.autograd.grad((y * y).sum(), [x1, x2, x3], allow_unused=True)
    g = next(g for g in grads if g is not None)
    print(i, tuple(y.shape), y.flatten()[:8], y.grad_fn.name(), g.flatten()[:8])
theta = torch.tensor([[[1.0, 0.1, 0.0], [0.0, 0.8, 0.2]]], requires_grad=True)
grid = F.affine_grid(theta, (1, 1, 3, 4), align_corners=False)
print(grid, torch.affine_grid_generator(theta, (1, 1, 2, 2), True), F.affine_grid(torch.eye(3, 4)[None], (1, 1, 1, 2, 2), align_corners=True))
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        y = F.grid_sample(x2, grid, mode=mode, padding_mode=padding, align_corners=True)
        grads = torch.autograd.grad(y.pow(2).sum(), [x2, theta], retain_graph=True)
        print(mode, padding, y, grads)
grid3 = F.affine_grid(torch.eye(3, 4)[None] * 0.7, (1, 1, 2, 2, 2), align_corners=False)
print(F.grid_sample(x3, grid3, align_corners=False), torch.grid_sampler(x2, grid, 0, 0, False).sum(), torch.grid_sampler_2d(x2, grid, 1, 1, True).sum(), torch.grid_sampler_3d(x3, grid3, 0, 2, False).sum())
F.grid_sample(x3, grid3, mode="nearest", align_corners=False).sum().backward()
print(x3.grad)
for bad in (lambda: F.interpolate(x1), lambda: F.interpolate(x1, 3, scale_factor=2), lambda: F.interpolate(x1, 3, mode="bilinear"), lambda: F.interpolate(x2, (3, 3, 3)), lambda: F.interpolate(x2, 3, mode="no"), lambda: F.interpolate(x1, 4, align_corners=True), lambda: F.interpolate(x2, 0), lambda: F.grid_sample(x2, grid[..., :1]), lambda: F.grid_sample(x2, grid, mode="no"), lambda: F.affine_grid(theta, (1, 1, 3)), lambda: F.grid_sample(x1, grid), lambda: F.interpolate(torch.ones(2, 2), 3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
