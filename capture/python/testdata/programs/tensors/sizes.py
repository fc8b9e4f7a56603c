import copy
import pickle

import torch

s = torch.Size([2, 3, 4])
print(s, s.numel(), s[0], s[-1], s[1:], s + (5,), s * 2, len(s), list(s), tuple(s) == s, s == [2, 3, 4], s.count(3), s.index(4))
print(type(s[:2]).__name__, type(s + (1,)).__name__, type((1,) + s).__name__, torch.Size(), torch.Size([torch.tensor(2)]))
print(pickle.loads(pickle.dumps(s)), copy.deepcopy(s), torch.zeros(s).shape == s, torch.zeros(2, 3).size(1), torch.zeros(2, 3).size())
a, b = torch.zeros(4, 5).shape
print(a, b, torch.zeros(s[1:]).size(), torch.zeros(*s).dim(), torch.broadcast_shapes((2, 1), (3,), 1))
for bad in (lambda: torch.Size([1.5]), lambda: torch.Size("ab"), lambda: torch.Size(3), lambda: torch.zeros(2).size(3), lambda: torch.broadcast_shapes((2,), (3,))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
