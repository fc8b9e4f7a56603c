import torch

x = torch.arange(24.0).reshape(2, 3, 4)
print(x.shape, x.size(), x.size(1), x.size(-1), x.dim(), x.ndim, x.ndimension(), x.numel(), x.nelement(), len(x))
print(x.dtype, x.device, x.layout, x.is_cuda, x.is_sparse, x.is_quantized, x.itemsize, x.element_size(), x.nbytes)
print(x.stride(), x.stride(1), x.storage_offset(), x.is_contiguous(), x.T.shape if x.dim() == 2 else x.mT.shape)
print(x[0].T, x[0].H.shape, x.is_floating_point(), x.is_complex(), x.is_signed(), x.long().is_floating_point())
print(x.grad, x.grad_fn, x.requires_grad, x.is_leaf, x._version, x.name, x.names)
a, b, c = x.shape
print(a * b * c, x.shape[1:], x.shape + (5,), x.shape == (2, 3, 4), x.shape.numel(), list(x.shape), x.shape[-1], tuple(x.shape))
print(torch.Size([1, 2]) + torch.Size([3]), isinstance(x.shape, tuple), type(x.shape))
print(x.is_same_size(x), x.is_nonzero() if x.numel() == 1 else "many", torch.tensor(0).is_nonzero(), x.real is x)
x.mine = 5
print(x.mine, hasattr(x, "other"), x.retains_grad)
try:
    x.shape = (3,)
except Exception as e:
    print(type(e).__name__, e)
try:
    x.dtype = torch.int8
except Exception as e:
    print(type(e).__name__, e)
x.undefined
