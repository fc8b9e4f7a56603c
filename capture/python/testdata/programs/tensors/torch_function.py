import torch


class Logged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print("called", func.__name__, [t.__name__ for t in types], sorted(kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs)


x = torch.tensor([1.0, 2.0]).as_subclass(Logged)
y = x + 1
y = torch.sub(x, 2)
z = torch.cat([x, torch.ones(1)])
w = x.sum(dim=0, keepdim=True)
v = x[0]
n = len(x)
s = x.shape
torch.softmax(x, dim=0)


class Scalar:
    def __init__(self, value):
        self.value = value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mul:
            return Scalar([a.value if isinstance(a, Scalar) else a for a in args])
        return NotImplemented


print(torch.mul(Scalar(2), 3).value)
for bad in (lambda: torch.add(Scalar(1), 2), lambda: torch.ones(2) + Scalar(1), lambda: torch.cat([Scalar(1)])):
    try:
        bad()
    except TypeError as e:
        print(str(e).split("\n")[0])
print(torch.overrides.is_tensor_like(Scalar(1)), torch.overrides.has_torch_function((torch.ones(1),)), torch.overrides.has_torch_function((x,)))
del x, y, z, w, v
