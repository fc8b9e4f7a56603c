import torch

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
state = torch.zeros(3)
total = torch.zeros(())
for step in range(3):
    out = torch.tanh(w @ state + 1)
    total = total + out.sum()
    state += out
print(total.item())
total.backward()
