import weakref

import torch


def leaf():
    x = torch.ones(3, requires_grad=True)
    x.tag = 5
    weakref.finalize(x, print, "the leaf is gone")
    return x * 2, weakref.ref(x), id(x)


y, r, i = leaf()
print(id(r()) == i, r().tag, r() is y.grad_fn.next_functions[0][0].variable)
y.sum().backward()
print(r().grad)
node = y.grad_fn
del y
print("the node holds it", r() is not None)
del node
print(r())


def layer():
    net = torch.nn.Linear(2, 2)
    return net(torch.ones(2)), weakref.ref(net.weight)


y, r = layer()
print(type(r()))
del y
print(r())

known = weakref.WeakKeyDictionary()
known[torch.ones(1, requires_grad=True)] = 1
x = torch.ones(2)
x.requires_grad = True
known[x] = 2
a, b = x * 2, x * 3
results = [a, b]
del x, a, b
results.pop(0)
print(len(known), type(results[0].grad_fn).__name__)
results.pop()
print(len(known))

x, w = torch.arange(3.0), torch.ones(3, requires_grad=True)
known[x] = "saved"
y = w * x
del x
print(len(known))
y.sum().backward()
print(len(known))

x = torch.ones(1, requires_grad=True)
r, y = weakref.ref(x), x * 2
del y, x
print(r())
x = torch.ones(1, requires_grad=True)
r, y = weakref.ref(x), x.detach()
del x
print(r())
x = torch.ones(4, requires_grad=True)
r, y = weakref.ref(x), x[1:]
del x
print(r() is y._base)
del y
print(r())
x = torch.ones(1, requires_grad=True)
r, y = weakref.ref(x), torch.zeros(1)
y.add_(x)
del x
print(r())
y = None
print(r())

seen, held = [], []


def hook(g):
    x = torch.ones(1, requires_grad=True)
    seen.append(weakref.ref(x))
    with torch.enable_grad():
        h = x * 2
    held.append(h)
    y = torch.ones(1, requires_grad=True)
    seen.append(weakref.ref(y))
    del x, y, h
    print([r() is not None for r in seen])


x = torch.ones(2, requires_grad=True)
x.register_hook(hook)
x.sum().backward()
print([r() is not None for r in seen])
held.clear()
print([r() is not None for r in seen])
