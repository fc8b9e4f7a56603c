import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
y = x * w
fn = y.grad_fn
post = fn.register_hook(lambda gi, go: print("post", gi, go))
pre = fn.register_prehook(lambda go: print("pre", go))
y.sum().backward(retain_graph=True)
pre.remove()
change = fn.register_prehook(lambda go: (go[0] * 10,))
y.sum().backward(retain_graph=True)
change.remove()
post.remove()
fn.register_hook(lambda gi, go: (gi[0] * 0, gi[1]))
x.grad = w.grad = None
y.sum().backward(retain_graph=True)
print(x.grad, w.grad)


def check(register, result):
    z = x * w
    register(z.grad_fn)(result)
    try:
        z.sum().backward()
    except Exception as e:
        print(type(e).__name__, e)


check(lambda n: n.register_hook, lambda gi, go: 5)
check(lambda n: n.register_hook, lambda gi, go: (gi[0],))
check(lambda n: n.register_prehook, lambda go: (torch.ones(3),))
check(lambda n: n.register_prehook, lambda go: go + go)
acc = y.grad_fn.next_functions[0][0]
acc.register_hook(lambda gi, go: print("accumulated", gi, go, acc.variable.grad))
(x * 2).sum().backward()
