"""timm: a small ResNet with mixup, soft targets, ModelEmaV2 and a scheduler.

packages: timm
"""
import timm
import torch
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import ModelEmaV2, accuracy

torch.manual_seed(0)
model = timm.create_model("resnet10t", pretrained=False, num_classes=4)
ema = ModelEmaV2(model, decay=0.9)
mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, num_classes=4)
loss_of = SoftTargetCrossEntropy()
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=2, warmup_t=1)
images = torch.randn(16, 3, 32, 32)
labels = torch.arange(16) % 4
for epoch in range(2):
    model.train()
    for i in range(0, 16, 8):
        x, y = mixup(images[i:i + 8].clone(), labels[i:i + 8])
        loss = loss_of(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
    scheduler.step(epoch + 1)
    model.eval()
    with torch.no_grad():
        print(epoch, round(loss.item(), 3), accuracy(ema.module(images), labels)[0].item())
