import pickle

import torch

x = torch.arange(6.0).reshape(2, 3)
for t in (x, x.T, x[1], x.half(), x > 2, x.to(torch.bfloat16), torch.tensor(3), torch.ones(0), torch.ones(2, requires_grad=True)):
    u = pickle.loads(pickle.dumps(t))
    print(u, u.dtype, u.stride(), u.requires_grad, torch.equal(u, t))
a, b = pickle.loads(pickle.dumps((x, x[0])))
b[0] = 100
print(a[0, 0], pickle.loads(pickle.dumps({"a": x, "b": [x.shape, x.dtype]})))
p = pickle.loads(pickle.dumps(torch.nn.Parameter(torch.ones(2))))
print(p, type(p).__name__)
