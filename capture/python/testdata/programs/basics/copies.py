import copy
import pickle

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = copy.copy(a)
c = copy.deepcopy(a)
print(b.data_ptr() == a.data_ptr(), c.data_ptr() == a.data_ptr(), b.requires_grad, c.requires_grad, c.is_leaf)
d = a.clone()
print(d.grad_fn.name(), d.data_ptr() == a.data_ptr())
(a * 2).sum().backward()
e = copy.deepcopy(a)
print(e.grad, e.grad is a.grad)
try:
    copy.deepcopy(a * 2)
except RuntimeError as err:
    print(err)
shared = [a, a]
twins = copy.deepcopy(shared)
print(twins[0] is twins[1], twins[0] is a)
n = torch.arange(3)
m = copy.deepcopy(n)
m[0] = 9
print(n, m)
v = torch.arange(4.0)
pair = copy.deepcopy([v, v[1:]])
pair[0][1] = 50
print(pair)
back = pickle.loads(pickle.dumps(torch.tensor([[1, 2], [3, 4]])))
print(back, back.dtype)
print(a.tolist(), a.detach().numpy() if False else "", torch.tensor(a.tolist()))
