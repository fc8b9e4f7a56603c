import torch

x = torch.ones(2)
print(hasattr(torch, "relu"), hasattr(torch, "no_such_function"), hasattr(x, "sum"), "add" in dir(torch), "sum" in dir(x), callable(torch.Tensor.add))
print(torch.Tensor.add(x, 1), torch.Tensor.__mul__(x, 3), torch.Tensor.sum(x), getattr(x, "mul")(2), torch.Tensor.shape.__get__(x))
x.no_such_method()
