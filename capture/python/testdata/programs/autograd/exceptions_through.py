import torch
from torch.autograd import Function


class MyError(Exception):
    pass


class F(Function):
    @staticmethod
    def forward(ctx, x, where):
        ctx.where = where
        if where == "forward":
            raise MyError("forward")
        return x * 2

    @staticmethod
    def backward(ctx, g):
        if ctx.where == "backward":
            raise MyError("backward", 5)
        return g, None


x = torch.ones(1, requires_grad=True)
for where in ("forward", "backward", "nowhere"):
    try:
        F.apply(x, where).backward()
    except MyError as e:
        print(where, type(e), e.args, e.__cause__)
print(x.grad)


def hook(g):
    raise KeyError("in a hook")


y = x * 2
y.register_hook(hook)
try:
    y.backward()
except KeyError as e:
    print(e)
try:
    y.backward()
except Exception as e:
    print(type(e).__name__, str(e)[:40])
z = F.apply(x, "backward")
z.backward()
