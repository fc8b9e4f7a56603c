import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = w * 2
loss = (y * w).sum()
print(y.is_leaf, w.is_leaf, loss)
loss.backward()
print(w.grad)
print(y.grad)
try:
    w += 1
except RuntimeError as e:
    print("RuntimeError:", e)
with torch.no_grad():
    w += 1
print(w)
loss.backward()
