"""MONAI: a 3-D U-Net with Dice and cross-entropy, deep supervision by hand and sliding windows.

packages: monai
"""
import torch
from monai.inferers import sliding_window_inference
from monai.losses import DiceCELoss
from monai.metrics import DiceMetric
from monai.networks.nets import UNet

torch.manual_seed(0)
model = UNet(spatial_dims=3, in_channels=1, out_channels=2, channels=(4, 8, 8), strides=(2, 2), num_res_units=1)
criterion = DiceCELoss(to_onehot_y=True, softmax=True)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(2, 1, 8, 8, 8) * 0.1
y = torch.zeros(2, 1, 8, 8, 8)
y[..., 2:6, 2:6, 2:6] = 1
x += y
metric = DiceMetric(include_background=False)
for step in range(3):
    model.train()
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        out = sliding_window_inference(x, (8, 8, 8), 1, model).argmax(1, keepdim=True)
        metric(out, y)
    print(step, round(loss.item(), 3), round(metric.aggregate().item(), 3))
    metric.reset()
