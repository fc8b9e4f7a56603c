import torch
from torch.autograd import grad

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = torch.ones(2, requires_grad=True)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


s = (x * y).sum()
attempt(lambda: grad(s, (x, y), retain_graph=True))
attempt(lambda: grad(s, z, retain_graph=True))
attempt(lambda: grad(s, (x, z), allow_unused=True, retain_graph=True))
attempt(lambda: grad(s, (x, z), materialize_grads=True, retain_graph=True))
attempt(lambda: grad(s, z, allow_unused=False, materialize_grads=True))
attempt(lambda: grad([x * 2, y * 3], [x, y], [torch.ones(2), torch.tensor([1.0, 10.0])]))
attempt(lambda: grad(x * 2, x, torch.eye(2), is_grads_batched=True))
attempt(lambda: grad(x * 2, x, torch.ones(2, 3), is_grads_batched=True))
attempt(lambda: grad(x * 2, x))
attempt(lambda: grad(s, []))
attempt(lambda: grad([], x))
attempt(lambda: grad(s, torch.ones(2)))
attempt(lambda: grad(torch.ones(()), x))
attempt(lambda: grad(s, x, grad_outputs=torch.ones(2)))
attempt(lambda: grad(s, x, only_inputs=False, retain_graph=True))
attempt(lambda: grad(s, s, retain_graph=True))
attempt(lambda: grad(s, (x, x), retain_graph=True))
(g,) = grad((x**3).sum(), x, create_graph=True)
print(g, g.grad_fn.name(), x.grad)
attempt(lambda: grad(g.sum(), x))
attempt(lambda: grad(s, x))
attempt(lambda: grad(s, x))
