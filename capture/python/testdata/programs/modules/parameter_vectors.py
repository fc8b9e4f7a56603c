import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
v = parameters_to_vector(net.parameters())
print(v, v.grad_fn, v.grad_fn.next_functions[0][0])
v.sum().backward()
print(net[0].weight.grad)
vector_to_parameters(torch.arange(9.0), net.parameters())
for n, p in net.named_parameters():
    print(n, p)
print(net(torch.ones(1, 2)))
new = torch.zeros(9, requires_grad=True)
vector_to_parameters(new, net.parameters())
print(net[1].bias, net[0].weight.grad is not None)
for bad in (lambda: vector_to_parameters([1.0], net.parameters()), lambda: vector_to_parameters(torch.ones(3), net.parameters()), lambda: parameters_to_vector([])):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
