import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


torch.autograd.backward([(x * 2).sum(), (w * 3).sum()])
print(x.grad, w.grad)
torch.autograd.backward((x * 2, w * 3), (torch.ones(2), torch.tensor([1.0, 10.0])))
print(x.grad, w.grad)
x.grad = w.grad = None
(x * w).sum().backward(inputs=[x])
print(x.grad, w.grad)
y = x * 2
(y * w).sum().backward(inputs=(y, w))
print(x.grad, y.grad, w.grad)
y.backward(torch.ones(2), retain_graph=True)
y.backward(gradient=torch.ones(2))
print(x.grad)
s = (x * w).sum()
attempt(lambda: s.backward(inputs=[]))
attempt(lambda: s.backward(inputs=[5]))
attempt(lambda: s.backward(inputs=5))
attempt(lambda: torch.autograd.backward(5))
attempt(lambda: torch.autograd.backward((5,)))
attempt(lambda: torch.autograd.backward([s, s], [torch.tensor(1.0)]))
attempt(lambda: torch.autograd.backward(s, torch.tensor(1.0), grad_variables=torch.tensor(1.0)))
attempt(lambda: s.backward(gradient=5))
attempt(lambda: s.backward(torch.ones(2)))
attempt(lambda: torch.ones(1).backward())
attempt(lambda: (x * 2).backward())
attempt(lambda: x.argmax().backward())
attempt(lambda: s.backward(foo=1))
attempt(lambda: s.backward())
attempt(lambda: s.backward())
