import torch
import torch.nn.functional as F

x = ((torch.arange(24.0) * 5 % 17) / 3).reshape(2, 4, 3).requires_grad_()
w, b = torch.tensor([1.0, 2.0, 0.5, -1.0], requires_grad=True), torch.tensor([0.1, 0.0, 0.2, 0.3], requires_grad=True)
mean, var = torch.zeros(4), torch.ones(4)
calls = [
    lambda: F.batch_norm(x, mean, var), lambda: F.batch_norm(x, mean, var, w, b, training=True, momentum=0.2), lambda: F.batch_norm(x, None, None, w, b, True), lambda: torch.batch_norm(x, w, b, mean, var, False, 0.1, 1e-3, False),
    lambda: F.layer_norm(x, (3,)), lambda: F.layer_norm(x, (4, 3)), lambda: F.layer_norm(x, [3], torch.ones(3) * 2, torch.ones(3)), lambda: torch.layer_norm(x, (3,), eps=0.1), lambda: torch.native_layer_norm(x, (3,), None, None, 1e-5)[0],
    lambda: F.group_norm(x, 2), lambda: F.group_norm(x, 4, w, b), lambda: torch.group_norm(x, 1, eps=0.5), lambda: F.instance_norm(x), lambda: F.instance_norm(x, mean, var, w, b, use_input_stats=True), lambda: F.instance_norm(x, mean, var, use_input_stats=False), lambda: torch.instance_norm(x, w, b, None, None, True, 0.1, 1e-5, False),
    lambda: F.rms_norm(x, (3,)), lambda: F.rms_norm(x, (4, 3), eps=0.1), lambda: torch.rms_norm(x, [3], torch.ones(3) * 3), lambda: F.local_response_norm(x, 2), lambda: F.local_response_norm(x[None], 3, alpha=0.1, beta=0.5, k=2.0), lambda: F.normalize(x, dim=1),
]
for i, call in enumerate(calls):
    y = call()
    grads = torch.autograd.grad((y * y * y).sum(), [x, w, b], allow_unused=True)
    print(i, tuple(y.shape), y.flatten()[:4], y.grad_fn.name(), [None if g is None else g.flatten()[:3] for g in grads])
print(mean, var)
for bad in (lambda: F.batch_norm(torch.ones(1, 4), mean, var, training=True), lambda: F.batch_norm(x, torch.zeros(3), var), lambda: F.layer_norm(x, (4,)), lambda: F.layer_norm(x, (3,), torch.ones(4)), lambda: F.group_norm(x, 3), lambda: F.group_norm(x, 2, torch.ones(2)), lambda: F.instance_norm(torch.ones(1, 2, 1)), lambda: F.batch_norm(x, None, None), lambda: F.layer_norm(x, ()), lambda: F.local_response_norm(torch.ones(2), 2), lambda: F.rms_norm(x, (2,)), lambda: F.layer_norm(x.long(), (3,))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
