import torch
import torch.nn.functional as F

w = torch.arange(12.0).reshape(6, 2).requires_grad_()
i = torch.tensor([[1, 2], [5, 1]])
print(F.embedding(i, w), F.embedding(torch.tensor(3), w), torch.embedding(w, i), F.embedding(i, w, padding_idx=1), F.embedding(i, w).grad_fn.name(), F.embedding(i, w, padding_idx=-1, scale_grad_by_freq=True))
for options in ({}, {"padding_idx": 1}, {"scale_grad_by_freq": True}):
    (g,) = torch.autograd.grad((F.embedding(i, w, **options) ** 2).sum(), w)
    print(options, g)
v = torch.full((4, 3), 2.0)
print(F.embedding(torch.tensor([0, 2]), v, max_norm=1.0), v, F.embedding(torch.tensor([1]), v, max_norm=3.0, norm_type=1.0), v, torch.embedding_renorm_(v, torch.tensor([3]), 0.5, 2.0))
flat, offsets = torch.tensor([1, 2, 4, 5, 4]), torch.tensor([0, 2])
for mode in ("sum", "mean", "max"):
    y = F.embedding_bag(flat, w, offsets, mode=mode)
    (g,) = torch.autograd.grad((y * y).sum(), w)
    print(mode, y, y.grad_fn.name(), g, F.embedding_bag(i, w, mode=mode))
p = torch.tensor([0.5, 1.0, 2.0, 1.0, 0.1], requires_grad=True)
y = F.embedding_bag(flat, w, offsets, mode="sum", per_sample_weights=p)
y.pow(2).sum().backward()
print(y, p.grad, w.grad, F.embedding_bag(flat, w, torch.tensor([0, 2, 2]), include_last_offset=False), F.embedding_bag(flat, w, torch.tensor([0, 3, 5]), include_last_offset=True), F.embedding_bag(flat, w, offsets, padding_idx=4))
for bad in (lambda: F.embedding(torch.tensor([6]), w), lambda: F.embedding(torch.tensor([-1]), w), lambda: F.embedding(torch.tensor([1.0]), w), lambda: F.embedding(i, w, padding_idx=9), lambda: F.embedding_bag(i, w, offsets), lambda: F.embedding_bag(flat, w), lambda: F.embedding_bag(flat, w, torch.tensor([1, 2])), lambda: F.embedding_bag(flat, w, offsets, mode="median"), lambda: F.embedding_bag(flat, w, offsets, mode="mean", per_sample_weights=p), lambda: F.embedding(i, torch.ones(3)), lambda: F.embedding(w, i)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
