"""Gradients of mini-batches add up to that of the whole batch, if each loss is weighted by its share."""

import torch
from torch import nn

torch.manual_seed(0)
data, target = torch.randn(12, 3), torch.randn(12, 1)
model = nn.Linear(3, 1)

nn.functional.mse_loss(model(data), target).backward()
whole = model.weight.grad.clone()
print("whole batch:", whole)

model.zero_grad()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data, target), batch_size=5)
for x, y in loader:
    loss = nn.functional.mse_loss(model(x), y) * (len(x) / len(data))
    loss.backward()
    print(f"  {len(x)} samples:", model.weight.grad)
print("equal:", torch.allclose(model.weight.grad, whole))
