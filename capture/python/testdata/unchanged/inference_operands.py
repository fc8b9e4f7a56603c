# Operations outside inference mode, again and again, on tensors that were made in it.
import torch

w = torch.ones(3, requires_grad=True)
w.sum().backward()
with torch.inference_mode():
    kept = [torch.full((3,), float(i)) for i in range(6)]
y = torch.zeros(3)
print([k.sum() for k in kept])
print([k * 3.0 for k in kept], [k + k for k in kept], [y + k for k in kept])
print([torch.where(k > 1, k, y).is_inference() for k in kept], [k[:2].is_inference() for k in kept])
print([y.add_(k) is y for k in kept], y, y._version)
