"""Parameters as arrays, which optimizers of SciPy read: allowed where no gradients are recorded."""
import numpy as np
import torch

w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    print(w.numpy(), np.asarray(w), (w * 2).numpy())
with torch.inference_mode():
    print(w.cpu().numpy())
for read in (lambda: w.numpy(), lambda: np.asarray(w), lambda: (w * 2).numpy()):
    try:
        read()
    except RuntimeError as e:
        print(e)
print(w.detach().numpy())
