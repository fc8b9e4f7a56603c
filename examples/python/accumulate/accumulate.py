"""backward() adds to .grad: without zero_grad() each step is made of all gradients so far."""

import torch


def train(clear):
    w = torch.tensor([3.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for step in range(4):
        if clear:
            optimizer.zero_grad()
        loss = (w**2).sum()
        loss.backward()
        print(f"  step {step}: w = {w.item():6.3f}  loss = {loss.item():6.3f}  grad = {w.grad.item():6.3f}")
        optimizer.step()


print("forgotten:")
train(clear=False)
print("cleared:")
train(clear=True)
