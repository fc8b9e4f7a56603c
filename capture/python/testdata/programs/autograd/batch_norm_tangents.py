import torch
import torch.autograd.forward_ad as fwd
import torch.nn.functional as F

x = torch.arange(12.0).view(3, 2, 2).sqrt()
mean, variance = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 1.5])

with fwd.dual_level():
    dual = fwd.make_dual(x, torch.ones_like(x))
    for training in (False, True):
        out = F.batch_norm(dual, mean.clone(), variance.clone(), training=training)
        print(fwd.unpack_dual(out).tangent)
    plain = F.batch_norm(x, fwd.make_dual(mean, torch.ones(2)), variance)
    print(plain.shape)
    for which in (0, 1):
        running = [mean, variance]
        running[which] = fwd.make_dual(running[which], torch.ones(2))
        try:
            F.batch_norm(dual, *running)
        except RuntimeError as e:
            print(e)
