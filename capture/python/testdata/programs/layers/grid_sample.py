import torch
import torch.nn.functional as F

theta = torch.tensor([[[0.5, 0.0, 0.1], [0.2, 1.0, 0.0]]], requires_grad=True)
image = torch.arange(12.0).view(1, 1, 3, 4).requires_grad_()
grid = F.affine_grid(theta, (1, 1, 2, 3), align_corners=False)
print(grid, grid.grad_fn.name())
for mode in ("bilinear", "nearest", "bicubic"):
    for padding_mode in ("zeros", "border", "reflection"):
        y = F.grid_sample(image, grid * 1.7, mode, padding_mode, align_corners=False)
        print(mode, padding_mode, y.detach().flatten())
        grads = torch.autograd.grad(y.pow(2).sum(), (image, theta), retain_graph=True)
        print(grads[0].flatten(), grads[1])
print(F.grid_sample(image, grid))
print(F.affine_grid(theta, [1, 1, 2, 2]))
print(F.grid_sample(torch.arange(8.0).view(1, 1, 2, 2, 2), torch.zeros(1, 1, 1, 1, 3), align_corners=True))
for bad in (
    lambda: F.grid_sample(image, grid, mode="cubic"), lambda: F.grid_sample(image, grid, padding_mode="wrap"), lambda: F.grid_sample(image[0], grid), lambda: F.grid_sample(image, torch.ones(2, 1, 1, 2)),
    lambda: F.affine_grid(theta[0], (1, 1, 2, 3)), lambda: F.affine_grid(theta, (1, 1, 0, 3)), lambda: F.affine_grid(theta, (1, 2)), lambda: F.affine_grid(theta.long(), (1, 1, 2, 3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
