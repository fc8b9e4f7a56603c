import torch
import torch.nn.functional as F

torch.manual_seed(4)
x = torch.ones(2, 4, 2, requires_grad=True)
print(F.dropout(x), F.dropout(x, 0.2), F.dropout(x, training=False) is x, F.dropout(x, p=1.0).sum(), F.dropout(x, 0.0).equal(x))
print(F.alpha_dropout(x, 0.5, True), F.feature_alpha_dropout(x, 0.5, True), F.dropout1d(x), F.dropout2d(x[None]), F.dropout3d(x[None, None], 0.3).shape)
print(torch.dropout(x, 0.5, True), torch.alpha_dropout(x, 0.3, True), torch.feature_dropout(x, 0.5, True), torch.feature_alpha_dropout(x, 0.5, True), torch.dropout(x, 0.5, train=False).equal(x))
y = torch.ones(6)
print(torch.dropout_(y.clone(), 0.5, True), torch.alpha_dropout_(y.clone(), 0.5, True), torch.feature_dropout_(y.clone().reshape(2, 3), 0.5, True), torch.feature_alpha_dropout_(y.clone().reshape(2, 3), 0.5, True), F.dropout(y, 0.5, True, True), y)
z = F.dropout(x, 0.4)
print(z.grad_fn.name())
z.sum().backward()
print(x.grad)
F.alpha_dropout(x, 0.2, training=True).sum().backward()
print(x.grad)
for bad in (lambda: F.dropout(x, 1.5), lambda: F.dropout(x, -0.1), lambda: F.alpha_dropout(x, 2.0), lambda: F.dropout("x"), lambda: torch.dropout(x, 2.0, True), lambda: F.dropout2d(x, 3.0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
F.dropout1d(torch.ones(2))
