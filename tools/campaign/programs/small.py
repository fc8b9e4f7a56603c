import torch

w = torch.ones(1000, requires_grad=True)
for _ in range(20):
    x = torch.randn(1000)
    (w * x).sum().backward()
print("the program ran to its end")
