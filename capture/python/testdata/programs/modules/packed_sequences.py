import torch
from torch.nn.utils.rnn import (
    PackedSequence,
    invert_permutation,
    pack_padded_sequence,
    pack_sequence,
    pad_packed_sequence,
    pad_sequence,
    unpack_sequence,
    unpad_sequence,
)

a, b, c = torch.tensor([1.0, 2, 3]), torch.tensor([4.0, 5]), torch.tensor([6.0])
packed = pack_sequence([a, b, c])
print(packed)
print(pad_packed_sequence(packed), pad_packed_sequence(packed, batch_first=True, padding_value=-1.0, total_length=4))
mixed = pack_sequence([c, a, b], enforce_sorted=False)
print(mixed, mixed.sorted_indices, mixed.unsorted_indices)
print(pad_packed_sequence(mixed, batch_first=True))
print(unpack_sequence(mixed))
print(pad_sequence([a, b, c]), pad_sequence([a, b, c], batch_first=True, padding_value=9.0))
print(pad_sequence([b, a], batch_first=True, padding_side="left"))
print(pad_sequence([torch.ones(2, 2), torch.ones(1, 2)]).shape)
print(unpad_sequence(pad_sequence([a, b]), torch.tensor([3, 2])))
x = torch.arange(12.0).view(2, 3, 2).requires_grad_()
p = pack_padded_sequence(x, [3, 1], batch_first=True)
print(p.data, p.batch_sizes, p.data.grad_fn)
out, lengths = pad_packed_sequence(p, batch_first=True)
print(out, lengths)
(out * out).sum().backward()
print(x.grad)
print(invert_permutation(torch.tensor([2, 0, 1])), p.to(torch.float64).data.dtype, p.to("cpu") is p, p.is_cuda)
print(isinstance(p, tuple), len(p), p._fields, type(p.double()).__name__, p.half().data.dtype)
print(PackedSequence(torch.ones(2), torch.tensor([1, 1])))
