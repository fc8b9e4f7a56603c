"""segmentation-models-pytorch: a U-Net with Dice and focal losses.

packages: segmentation-models-pytorch
"""
import segmentation_models_pytorch as smp
import torch

torch.manual_seed(0)
model = smp.Unet("mobilenet_v2", encoder_weights=None, in_channels=1, classes=1, encoder_depth=3, decoder_channels=(16, 8, 8))
dice, focal = smp.losses.DiceLoss("binary"), smp.losses.FocalLoss("binary")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x = torch.randn(4, 1, 32, 32) * 0.1
y = torch.zeros(4, 1, 32, 32)
y[..., 8:20, 10:24] = 1
x += y
for step in range(3):
    model.train()
    logits = model(x)
    loss = dice(logits, y) + focal(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    tp, fp, fn, tn = smp.metrics.get_stats(logits.sigmoid(), y.long(), mode="binary", threshold=0.5)
    print(step, round(loss.item(), 3), round(smp.metrics.iou_score(tp, fp, fn, tn, reduction="micro").item(), 3))
