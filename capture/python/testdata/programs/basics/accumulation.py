import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
for step in range(3):
    loss = (w * w).sum()
    loss.backward()
    print(step, loss.item(), w.grad)
w.grad.zero_()
(w * 3).sum().backward()
print(w.grad)
w.grad = None
y = w**2
y.backward(torch.tensor([1.0, 0.5]), retain_graph=True)
y.backward(torch.tensor([1.0, 0.5]))
print(w.grad)
try:
    y.backward(torch.ones(2))
except RuntimeError as e:
    print(e)
try:
    (w * 2).backward()
except RuntimeError as e:
    print(e)
try:
    (w * 2).backward(torch.ones(3))
except RuntimeError as e:
    print(e)
try:
    torch.ones(1).backward()
except RuntimeError as e:
    print(e)
g = torch.autograd.grad((w**3).sum(), w)
print(g, w.grad)
