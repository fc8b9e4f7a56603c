import torch

p = torch.tensor([1.0, 2.0], requires_grad=True)
calls = []


def step(t):
    calls.append(t.grad.tolist())
    with torch.no_grad():
        t -= 0.1 * t.grad
    t.grad = None


h = p.register_post_accumulate_grad_hook(step)
p.register_hook(lambda g: calls.append("tensor hook"))
(p * p).sum().backward()
print(p, p.grad, calls)
h.remove()
(p * p).sum().backward()
print(p.grad, calls)
for f in (
    lambda: (p * 2).register_post_accumulate_grad_hook(step),
    lambda: torch.ones(1).register_post_accumulate_grad_hook(step),
):
    try:
        f()
    except RuntimeError as e:
        print(e)
q = torch.ones(1, requires_grad=True)
q.register_post_accumulate_grad_hook(lambda t: t)
q.sum().backward()
