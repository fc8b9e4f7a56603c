import torch

x = torch.arange(12.0).reshape(3, 4)
print(x.shape, x.dtype, x.layout, x.ndim, x.dim(), x.numel(), x.nelement(), x.stride(), x.stride(0), x.storage_offset(), x.itemsize, x.nbytes, x.names)
print(x.T.shape, x.mT.shape, x.H.shape, x.real is x, x.is_leaf, x.requires_grad, x.grad, x.grad_fn, x.is_sparse, x.is_quantized, x.is_meta, x.is_floating_point(), x.is_complex(), x.is_signed(), x.is_contiguous(), x.T.is_contiguous(), x.is_inference(), x.is_pinned(), x.is_shared(), x.is_conj())
print(x[1:, 2:].storage_offset(), x[:, ::2].stride(), x.data_ptr() == x.view(-1).data_ptr(), x[1].data_ptr() - x.data_ptr(), x.untyped_storage().nbytes(), x[1].untyped_storage().data_ptr() == x.untyped_storage().data_ptr())
x.note = "mine"
print(x.note, x.view(-1)._base is x, hasattr(x, "nothing"), getattr(x, "nothing", 5), x.is_set_to(x), x.is_set_to(x.clone()))
for bad in (lambda: x.nothing, lambda: setattr(x, "shape", 1), lambda: setattr(x, "requires_grad", 2), lambda: setattr(x, "grad", 2), lambda: setattr(x, "data", 2), lambda: setattr(x, "grad", torch.ones(2)), lambda: setattr(x, "is_leaf", True), lambda: x.imag, lambda: setattr(torch.ones(1, dtype=torch.int64), "requires_grad", True)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
