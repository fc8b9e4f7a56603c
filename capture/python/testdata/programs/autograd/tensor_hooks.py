import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
order = []
y = x * 2
y.register_hook(lambda g: order.append(("y1", g.tolist())))
h = y.register_hook(lambda g: g * 10)
y.register_hook(lambda g: order.append(("y2", g.tolist())))
x.register_hook(lambda g: order.append(("x", g.tolist())))
y.retain_grad()
y.sum().backward(retain_graph=True)
print(order, x.grad, y.grad)
h.remove()
order.clear()
x.grad = y.grad = None
y.sum().backward(retain_graph=True)
print(order, x.grad, y.grad)
print(type(h).__name__, isinstance(h.id, int))
with x.register_hook(lambda g: g * 0):
    x.grad = None
    y.sum().backward(retain_graph=True)
    print(x.grad)
y.sum().backward()
print(x.grad)
for f in (
    lambda: torch.ones(2).register_hook(print),
    lambda: x.register_hook(lambda g: torch.ones(3)),
):
    try:
        f()
    except RuntimeError as e:
        print(e)
try:
    (x * 2).sum().backward()
except RuntimeError as e:
    print(e)
