import torch

x = torch.arange(6.0)
s = x.untyped_storage()
print(s.nbytes(), len(s), s.device, s.data_ptr() == x.untyped_storage().data_ptr(), x[2:].untyped_storage().nbytes(), x[2:].storage_offset())
print(torch.tensor([1, 2], dtype=torch.int16).untyped_storage().tolist(), torch.tensor([1.0]).untyped_storage()[3])
print(x.view(2, 3).data_ptr() == x.data_ptr(), x[1:].data_ptr() - x.data_ptr(), x.clone().data_ptr() == x.data_ptr(), x.storage_offset())
y = torch.empty(0)
y.set_(x)
y[0] = 50
print(x[0], y.is_set_to(x), torch.is_storage(s), torch.is_tensor(s), torch.is_tensor(x))
print(x.as_strided((2, 2), (1, 2), 1), torch.as_strided(x, (3,), (2,)), x.resize_(2, 2).shape)
for bad in (lambda: x.as_strided((9,), (1,)), lambda: x.as_strided((2,), (1, 1)), lambda: x.as_strided((2,), (-1,))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
