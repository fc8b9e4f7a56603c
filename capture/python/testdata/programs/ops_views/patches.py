import torch
import torch.nn.functional as F

x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
u = F.unfold(x, kernel_size=2, stride=2)
print(u, F.fold(u, (4, 4), 2, stride=2).equal(x), F.unfold(x, 3, padding=1, dilation=1).shape, u.grad_fn.name())
print(F.fold(torch.ones(1, 4, 9), output_size=(4, 4), kernel_size=(2, 2)))
(F.unfold(x, 2) ** 2).sum().backward()
print(x.grad)
c = torch.arange(8.0).reshape(1, 4, 1, 2)
print(F.pixel_shuffle(c, 2), torch.pixel_shuffle(c, 2).shape, F.pixel_unshuffle(torch.arange(4.0).reshape(1, 1, 2, 2), 2), torch.pixel_unshuffle(torch.ones(1, 1, 2, 2), 2).shape, F.channel_shuffle(c, 2), torch.channel_shuffle(c, 2).shape)
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor([[0], [1]]), num_classes=3), F.pad(torch.ones(1, 2), (1, 2)), F.pad(torch.ones(1, 2), (0, 0, 1, 0), value=5), F.pad(torch.arange(3.0)[None], (1, 1), "reflect"), F.pad(torch.arange(3.0)[None], (1, 2), mode="replicate"), F.pad(torch.arange(3.0)[None], (1, 1), mode="circular"), torch.constant_pad_nd(torch.ones(2), (1, 1), 3), F.pad(torch.arange(4.0), (-1, 1)))
p = torch.arange(6.0).reshape(1, 2, 3).requires_grad_()
(F.pad(p, (1, 1), "reflect").pow(2).sum() + F.pad(p, (1, 1), "replicate").sum() + F.pad(p, (2, 2)).sum()).backward()
print(p.grad)
q = torch.arange(8.0).reshape(1, 2, 2, 2).requires_grad_()
print(F.pad(q, (1, 1, 1, 1), "reflect")[0, 0], F.pad(q, (1, 0, 0, 1), "replicate")[0, 0], F.pad(q[None], (1, 1, 1, 1, 1, 1), "replicate").sum(), F.pad(q[None], (1, 1, 1, 1, 1, 1), "reflect").sum())
for bad in (lambda: F.unfold(torch.ones(3), 2), lambda: F.fold(u, (5, 5), 2), lambda: F.pixel_shuffle(torch.ones(1, 3, 2, 2), 2), lambda: F.one_hot(torch.tensor([-1])), lambda: F.one_hot(torch.tensor([3]), 2), lambda: F.one_hot(torch.ones(2)), lambda: F.pad(torch.ones(1, 2), (1,)), lambda: F.pad(torch.ones(1, 2), (3, 3), "reflect"), lambda: F.pad(torch.ones(2), (1, 1), "reflect"), lambda: F.pad(torch.ones(2), (1, 1), "mirror"), lambda: F.pad(torch.ones(2), (1, 1, 1, 1)), lambda: F.channel_shuffle(torch.ones(1, 3, 1, 1), 2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
