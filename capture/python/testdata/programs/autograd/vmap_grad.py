"""vmap around derivatives of what was computed before it, and of captured tensors."""
import torch
from torch.func import functional_call, grad, jacrev, vmap

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x.pow(2)
print(vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(3)))
try:
    torch.autograd.grad(y, x, torch.ones(3))
except RuntimeError as e:
    print(str(e)[:46])

w = torch.tensor([1.0, 2.0], requires_grad=True)


def loss(w, x):
    return (w * x).pow(2).sum()


tasks = torch.tensor([[1.0, 1.0], [2.0, 1.0], [0.5, 3.0]])
adapted = vmap(lambda x: loss(w - 0.1 * grad(loss)(w, x), x))(tasks)
adapted.sum().backward()
print(adapted.detach(), w.grad.round())
w.grad = None
inner = grad(loss)(w, tasks[0])
loss(w - 0.1 * inner, tasks[0]).backward()
print(w.grad)

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
params = {k: v.detach() for k, v in model.named_parameters()}
targets = torch.tensor([0.0, 1.0, -1.0])


def sample_loss(params, x, t):
    return (functional_call(model, params, (x.unsqueeze(0),)).squeeze() - t) ** 2


per_sample = vmap(grad(sample_loss), in_dims=(None, 0, 0))(params, tasks, targets)
print({k: v.shape for k, v in per_sample.items()}, per_sample["2.bias"])

scale = torch.tensor(2.0, requires_grad=True)
J = vmap(jacrev(lambda x: scale * x.sin()))(tasks)
J.sum().backward()
print(J.shape, scale.grad)
meta = torch.tensor(0.1, requires_grad=True)
total = vmap(lambda x: loss(w.detach() - meta * grad(loss)(w.detach(), x), x))(tasks).mean()
print(torch.autograd.grad(total, meta))
a = (3 * torch.eye(3, dtype=torch.float64) + torch.arange(9.0).reshape(3, 3) / 10).double().requires_grad_()
for f in (torch.inverse, torch.linalg.inv, lambda m: torch.linalg.cholesky(m @ m.T), lambda m: m.T):
    print(torch.autograd.gradcheck(f, a), torch.autograd.gradgradcheck(f, a))
del adapted, inner, total, J, per_sample, y  # their graphs belong to single samples here
