"""Trains the head of a tiny ViT, then the last layer of its backbone too.

packages: transformers
"""
import torch
from transformers import ViTConfig, ViTForImageClassification

torch.manual_seed(0)
config = ViTConfig(
    hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
    image_size=16, patch_size=8, num_labels=3,
)
model = ViTForImageClassification(config)
images = torch.randn(12, 3, 16, 16)
labels = torch.arange(12) % 3
images += labels[:, None, None, None]

for p in model.vit.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.1, momentum=0.9)
for step in range(4):
    loss = model(pixel_values=images, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("head", round(loss.item(), 3))

for p in model.vit.layernorm.parameters():
    p.requires_grad_(True)
optimizer.add_param_group({"params": list(model.vit.layernorm.parameters()), "lr": 0.01})
for step in range(4):
    loss = model(pixel_values=images, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("norm", round(loss.item(), 3))
