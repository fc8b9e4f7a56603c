"""Mixed precision on the CPU with a gradient scaler, accumulation and clipping after unscale_.

packages: torch
"""
import torch
from torch import nn
from torch.amp import GradScaler, autocast

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scaler = GradScaler("cpu", init_scale=2.0**12)
x = torch.randn(48, 8)
y = x[:, :4].argmax(1)
for epoch in range(2):
    for i in range(0, 48, 8):
        with autocast("cpu", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x[i:i + 8]), y[i:i + 8]) / 2
        scaler.scale(loss).backward()
        if (i // 8) % 2:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
    print(epoch, round(loss.item() * 2, 3), scaler.get_scale())
