import torch


class Marked(torch.Tensor):
    pass


m = torch.tensor([1.0, 2.0]).as_subclass(Marked)
print(m, type(m + 1).__name__, type(torch.add(m, 1)).__name__, type(1 + m).__name__, type(m.sum()).__name__, type(m[0]).__name__, type(m.shape).__name__)
print(m.max(0), type(m.tolist()).__name__, type(torch.stack([m, torch.ones(2)])).__name__, [type(t).__name__ for t in m.split(1)], isinstance(m, torch.Tensor))
print(Marked([1, 2]), Marked(2, 3).shape, type(m.clone()).__name__, type(m.detach()).__name__, type(torch.ones(2) + m).__name__, type(m.view(2, 1)).__name__)
r = torch.tensor([1.0], requires_grad=True).as_subclass(Marked)
(r * 3).sum().backward()
print(r.grad_fn.name(), (r * 2).grad_fn.name(), torch.Tensor._make_subclass(Marked, torch.ones(1), True))
m += 1
print(m, type(m).__name__)


class Tagged(torch.Tensor):
    @staticmethod
    def __new__(cls, data, tag):
        return super().__new__(cls, data)

    def __init__(self, data, tag):
        self.tag = tag


t = Tagged([1.0, 2.0], "blue")
print(t, t.tag, type(t * 2).__name__, hasattr(t * 2, "tag"))
