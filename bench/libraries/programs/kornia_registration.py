"""kornia: augments a batch differentiably and fits an affine transform to an image.

packages: kornia
"""
import kornia
import kornia.augmentation as K
import torch
from torch import nn

torch.manual_seed(0)
image = torch.zeros(1, 1, 24, 24)
image[..., 8:14, 6:16] = 1.0
image = kornia.filters.gaussian_blur2d(image, (5, 5), (1.5, 1.5))
moved = kornia.geometry.affine(image, torch.tensor([[[1.0, 0.1, 1.0], [-0.1, 1.0, 2.0]]]))
angle, shift = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.zeros(1, 2))
optimizer = torch.optim.Adam([angle, shift], lr=0.1)
for step in range(6):
    warped = kornia.geometry.translate(kornia.geometry.rotate(image, angle), shift)
    loss = (warped - moved).abs().mean() + 0.1 * (1 - kornia.metrics.ssim(warped, moved, 5).mean())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))

augment = K.AugmentationSequential(K.RandomHorizontalFlip(p=0.5), K.RandomAffine(10.0, p=1.0), data_keys=["input"])
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
trainer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    batch = augment(image.repeat(4, 1, 1, 1))
    loss = nn.functional.cross_entropy(net(batch), torch.tensor([0, 1, 0, 1]))
    trainer.zero_grad()
    loss.backward()
    trainer.step()
