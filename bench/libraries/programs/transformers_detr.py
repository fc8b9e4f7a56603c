"""A tiny DETR head by hand: queries, Hungarian matching by scipy on detached costs, set loss.

packages: transformers, scipy
"""
import torch
import torch.nn.functional as F
from scipy.optimize import linear_sum_assignment
from torch import nn
from transformers import ViTConfig, ViTModel

torch.manual_seed(0)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        config = ViTConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, image_size=16, patch_size=4)
        self.backbone = ViTModel(config, add_pooling_layer=False)
        self.queries = nn.Embedding(4, 16)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 2, 32, batch_first=True), 1)
        self.label, self.box = nn.Linear(16, 3), nn.Linear(16, 4)

    def forward(self, images):
        memory = self.backbone(images).last_hidden_state
        h = self.decoder(self.queries.weight.expand(len(images), -1, -1), memory)
        return self.label(h), self.box(h).sigmoid()


model = Detector()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
images = torch.randn(3, 3, 16, 16)
boxes, labels = torch.rand(3, 2, 4), torch.randint(0, 2, (3, 2))
for step in range(4):
    logits, found = model(images)
    loss = 0.0
    for i in range(3):
        with torch.no_grad():
            cost = torch.cdist(found[i], boxes[i], p=1) - logits[i].softmax(-1)[:, labels[i]]
        rows, columns = linear_sum_assignment(cost.numpy())
        goal = torch.full((4,), 2)
        goal[rows] = labels[i][columns]
        loss = loss + F.cross_entropy(logits[i], goal) + 5 * F.l1_loss(found[i][rows], boxes[i][columns])
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    print(step, round(loss.item(), 3))
