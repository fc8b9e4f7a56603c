"""timm: a tiny vision transformer with drop path, adaptive gradient clipping and ModelEmaV3.

packages: timm
"""
import torch
from timm.models.vision_transformer import VisionTransformer
from timm.utils import ModelEmaV3, dispatch_clip_grad

torch.manual_seed(0)
model = VisionTransformer(img_size=16, patch_size=8, embed_dim=16, depth=2, num_heads=2, num_classes=3, drop_path_rate=0.1)
ema = ModelEmaV3(model, decay=0.99, use_warmup=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
x = torch.randn(12, 3, 16, 16)
y = torch.arange(12) % 3
for step in range(6):
    loss = torch.nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
    optimizer.zero_grad()
    loss.backward()
    dispatch_clip_grad(model.parameters(), 0.02, mode="agc")
    optimizer.step()
    ema.update(model, step=step)
    print(step, round(loss.item(), 3))
ema.eval()
with torch.no_grad():
    print(ema(x).shape)
