import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.tag = [1]
y, z = copy.copy(x), copy.deepcopy(x)
with torch.no_grad():
    x[0] = 9
print(x, y, z, y is x, y.is_leaf, z.requires_grad, y.tag is x.tag, z.tag is x.tag, z.tag)
base = torch.arange(4.0)
pair = [base, base[1:3], base]
again = copy.deepcopy(pair)
again[0][1] = 50
print(again, pair[0], again[0] is again[2], again[1].storage_offset())
c = x.clone()
print(c, c.grad_fn.name(), c.detach().requires_grad, x.detach().data_ptr() == x.data_ptr(), torch.clone(base) is base)
t = torch.arange(6).reshape(2, 3).T
print(t.clone().stride(), t.contiguous().stride(), t.clone(memory_format=torch.contiguous_format).stride(), copy.deepcopy(t).stride(), copy.deepcopy(t).equal(t))
x.sum().backward()
print(copy.deepcopy(x).grad, copy.copy(x).grad)
try:
    copy.deepcopy(x * 2)
except RuntimeError as e:
    print(str(e)[:90])
copy.deepcopy(c)
