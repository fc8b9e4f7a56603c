import torch

w = torch.tensor([3.0], requires_grad=True)
for _ in range(3):
    loss = (2 * w).sum()
    loss.backward()
