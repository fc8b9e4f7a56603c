import torch
from torch.autograd import Variable

x = Variable(torch.ones(2), requires_grad=True)
print(x, isinstance(x, Variable), type(x).__name__, x.is_leaf)
(x * 2).sum().backward()
print(x.grad, Variable(x).requires_grad, Variable(torch.ones(1)))
print(isinstance(5, Variable), isinstance(torch.ones(1), Variable), Variable)
for f in (lambda: Variable([1, 2]), lambda: torch.autograd.variable(torch.ones(1))):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
