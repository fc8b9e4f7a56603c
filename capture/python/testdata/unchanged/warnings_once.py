# Warnings: their text, file, line and how often they are shown.
import warnings

import torch
import torch.nn.functional as F
from torch import nn


def soft(x):
    return F.softmax(x)


x = torch.ones(2, 2)
for _ in range(3):
    soft(x)
    F.log_softmax(x)
    F.softmin(x)
nn.Softmax()(x)
for _ in range(3):
    F.mse_loss(x, torch.ones(2))
    y = (torch.ones(2, requires_grad=True) * 2)
    y.grad
for _ in range(2):
    y.grad
    y.grad
for _ in range(15):
    F.l1_loss(x, torch.ones(1))
for _ in range(15):
    torch.ones(3, dtype=torch.complex64).to(torch.float32)
for _ in range(3):
    torch.ones(2, 3).T.T
    torch.ones(2, 3, 4).T
    torch.ones(3).T
for _ in range(3):
    torch.tensor(torch.ones(2))
    nn.Parameter(torch.ones(1)).new_tensor(torch.ones(1))
with torch.autocast("cpu", dtype=torch.bfloat16):
    for _ in range(3):
        F.softmax(x)
for _ in range(3):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        F.log_softmax(x)
with torch.no_grad():
    for _ in range(3):
        F.softmin(x)
for _ in range(3):
    with torch.inference_mode():
        F.softmax(x)
for _ in range(12):
    torch.nn.functional.dropout2d(torch.ones(2, 3))
for _ in range(3):
    F.sigmoid(x)
    F.tanh(x)
    nn.functional.upsample(torch.ones(1, 1, 2, 2), scale_factor=2)
for _ in range(3):
    torch.range(0, 2)
    torch.meshgrid(torch.ones(2), torch.ones(2))
    torch.ones(2, 2, requires_grad=True).mean().backward(create_graph=True)
a = torch.ones(4)
for _ in range(3):
    torch.add(torch.ones(2, 2), torch.ones(2, 2), out=a)
    a = torch.ones(3)
for _ in range(3):
    torch.ones(4)[torch.ones(4, dtype=torch.uint8)]
    torch.where(torch.ones(2, dtype=torch.uint8), torch.ones(2), torch.ones(2))
for _ in range(2):
    scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([nn.Parameter(torch.ones(1))], 0.1), 1)
    scheduler.step()
    scheduler.step(3)
    scheduler.get_lr()
m = nn.Conv2d(1, 1, 2, padding="same", dilation=3)
for _ in range(12):
    m(torch.ones(1, 1, 5, 5))
print(sorted(k[:2] if isinstance(k, tuple) else k for k in globals().get("__warningregistry__", {}) if k != "version") and len(__warningregistry__))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(12):
        F.softmax(x)
        y.grad
for w in caught:
    print(w.category.__name__, w.filename.rpartition("/")[2], w.lineno, str(w.message)[:40])
warnings.simplefilter("error")
for f in (lambda: F.softmax(x), lambda: y.grad, lambda: torch.ones(2, 3, 4).T, lambda: torch.tensor(x), lambda: F.mse_loss(x, torch.ones(2))):
    for _ in range(10):
        try:
            f()
        except UserWarning as e:
            last = repr(e)[:60], e.__traceback__.tb_lineno
    print(last)
warnings.simplefilter("ignore", ResourceWarning)
f()
