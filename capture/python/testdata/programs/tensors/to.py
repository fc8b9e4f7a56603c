import torch

x = torch.tensor([1.5, -2.5])
print(x.to(torch.int64), x.to(torch.float32) is x, x.to("cpu") is x, x.to(torch.double), x.to("cpu", torch.half), x.to(dtype=torch.int8), x.to(torch.ones(1, dtype=torch.int16)), x.to(x) is x)
print(x.to(torch.float32, copy=True) is x, x.type(torch.DoubleTensor), x.type("torch.IntTensor"), x.type(torch.int64), x.type(), x.type_as(torch.ones(1, dtype=torch.uint8)))
print(x.double(), x.half(), x.int(), x.long(), x.short(), x.char(), x.bool(), x.bfloat16(), x.float() is x)
r = torch.ones(2, requires_grad=True)
print(r.to(torch.float64), r.double().grad_fn.name(), r.to(torch.float32) is r)
r.to(torch.float64).sum().backward()
print(r.grad, r.grad.dtype)
for bad in (lambda: x.to("float"), lambda: x.to(), lambda: x.type("Nothing"), lambda: x.type(int), lambda: x.to(3.5)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
