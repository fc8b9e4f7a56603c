import torch

x = torch.tensor([2.0], requires_grad=True)
y = x * x
y.backward(retain_graph=True)
y.backward()
print(x.grad)
try:
    y.backward()
except RuntimeError as e:
    print(e)
z = x + 1
z.backward()
z.backward()
print(x.grad)
h = x.exp()
a, b = h * 2, h * 3
a.backward()
try:
    b.backward()
except RuntimeError as e:
    print(str(e)[:60])
print(x.grad)
try:
    h.grad_fn._saved_result
except RuntimeError as e:
    print(str(e)[:60])
state = torch.zeros(1)
for step in range(2):
    state = torch.tanh(state + x)
    try:
        state.sum().backward()
        print("step", step)
    except RuntimeError as e:
        print("step", step, "fails")
g = torch.autograd.grad(x.exp(), x, create_graph=True)[0]
print(torch.autograd.grad(g, x), torch.autograd.grad(x.sin(), x, retain_graph=True))
