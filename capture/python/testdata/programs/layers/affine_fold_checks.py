import torch
import torch.nn as nn
import torch.nn.functional as F

theta = torch.eye(2, 3).unsqueeze(0)
print(F.affine_grid(theta, (1, 1, 2, 1), align_corners=False))
print(F.affine_grid(theta, (1, 1, 2, 1), align_corners=True))
print(F.affine_grid(theta, (1, 1, 2, 2), align_corners=True))
print(F.affine_grid(torch.eye(3, 4).unsqueeze(0), [1, 1, 1, 2, 2], align_corners=True).shape)

columns = torch.ones(1, 12, 12)
for options in (
    dict(kernel_size=2, dilation=8),
    dict(kernel_size=(2, 2), dilation=(8, 7), padding=(1, 2)),
    dict(kernel_size=(2, 3), stride=2),
    dict(kernel_size=5),
):
    fold = nn.Fold(output_size=(4, 5), **options)
    print(fold)
    try:
        print(fold(columns).shape)
    except RuntimeError as e:
        print(e)
print(nn.Fold((4, 5), 2)(columns))
