import torch

x = torch.tensor([-1.7, 0.0, 2.9, 300.0], requires_grad=True)
for name in ("bool", "byte", "char", "short", "int", "long", "half", "bfloat16", "float", "double"):
    source = x.detach().abs() if name == "byte" else x.detach().clamp(-2, 120)
    y = getattr(source, name)()
    print(name, y, y.dtype, y.element_size())
y = x.double()
print(y.grad_fn.name(), x.float() is x, x.half().grad_fn.name(), x.to(torch.float64).dtype, x.to(torch.float32) is x, x.to(torch.float32, copy=True) is x)
(x.double() * 2).sum().backward()
print(x.grad, x.grad.dtype)
print(x.to("cpu") is x, x.to(torch.device("cpu"), torch.float16).dtype, x.to(torch.zeros(1, dtype=torch.int16)), x.to(dtype=torch.int32), x.cpu() is x, x.to("cpu", torch.float64).dtype)
print(x.type(), x.type(torch.int64), x.type("torch.DoubleTensor").dtype, x.type(torch.float32) is x, x.type_as(torch.zeros(1, dtype=torch.float64)).dtype, x.detach().type(torch.IntTensor))
print(x.int().float().requires_grad, x.detach().bool().sum(), torch.tensor([0.4, 1.6]).to(torch.uint8), torch.tensor(65504.0).half() * 2, torch.tensor(float("nan")).to(torch.float16), torch.tensor([1.0 + 1e-3]).bfloat16(), torch.tensor(3.99).long())
print(torch.tensor([1, 2]).view(torch.float64).shape, torch.tensor([1.0]).view(torch.int32), torch.tensor([1.0, 2.0]).view(torch.uint8))
print(x.contiguous() is x, x.data.dtype)
for bad in (lambda: x.to("cuda"), lambda: x.to("nowhere"), lambda: x.to(3.5), lambda: x.type("Nothing"), lambda: x.int().requires_grad_(), lambda: x.cuda(), lambda: x.view(torch.float64) if len(x) % 2 else torch.ones(3).view(torch.float64)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0][:60])
