import torch

logits = torch.zeros(3, requires_grad=True)
probs = torch.sigmoid(logits)
probs[0] = 0.5
probs.sum().backward()
