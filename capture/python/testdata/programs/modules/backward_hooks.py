import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Sigmoid(), nn.Linear(2, 1))


def show(name):
    def hook(module, grad_input, grad_output):
        print(name, type(module).__name__, grad_input, grad_output)

    return hook


net[1].register_full_backward_hook(show("full"))
net[1].register_full_backward_pre_hook(lambda m, g: print("pre", g))
x = torch.ones(1, 2, requires_grad=True)
out = net(x)
print(out.grad_fn, out.grad_fn.next_functions[1][0])
out.sum().backward()
print(x.grad)
net[0].register_full_backward_hook(show("no grad in"))
net(torch.ones(1, 2)).sum().backward()

m = nn.Tanh()
m.register_full_backward_hook(lambda mod, gi, go: (gi[0] * 10,))
m.register_full_backward_hook(show("second"), prepend=True)
x = torch.zeros(2, requires_grad=True)
y = m(x)
print(y.grad_fn, y)
y.sum().backward()
print(x.grad)
m = nn.Tanh()
m.register_full_backward_pre_hook(lambda mod, go: (go[0] * 3,))
x = torch.zeros(2, requires_grad=True)
m(x).sum().backward()
print(x.grad)
h = m.register_full_backward_hook(lambda mod, gi, go: (gi[0], gi[0]))
try:
    m(x).sum().backward()
except RuntimeError as e:
    print(e)
h.remove()
m.register_full_backward_pre_hook(lambda mod, go: ())
try:
    m(x).sum().backward()
except RuntimeError as e:
    print(e)
