"""torch.autocast on the CPU: a training loop, and which dtype operations choose."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(x)
        loss = F.cross_entropy(out, y)
    loss.backward()
    optimizer.step()
    print(out.dtype, out.grad_fn.name(), loss.dtype, "%.2f" % loss.item(), model[0].weight.grad.dtype, model[0].weight.dtype)
print(out.grad_fn.next_functions[1][0].name(), out.grad_fn.next_functions[2][0].name())

a, b = torch.eye(3), torch.arange(9.0).reshape(3, 3) / 8 + torch.eye(3)
with torch.autocast("cpu"):
    low = a @ b
    for t in (
        low, torch.mm(a, b), a + b, torch.einsum("ij,jk->ik", a, b), a.softmax(0), torch.cat([low, a]), torch.stack([low, low]),
        F.mse_loss(low, a), low + a, low.exp(), low.prod(), F.conv1d(a[None], b[None]), F.layer_norm(low, (3,)), low.mean(),
        a.double() @ b.double(), torch.linalg.inv(low), a.mv(b[0]), F.scaled_dot_product_attention(a[None], b[None], a[None]),
    ):  # fmt: skip
        print(t.dtype, tuple(t.shape))
    print(torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"))
    with torch.autocast("cpu", enabled=False):
        print((a @ b).dtype, torch.is_autocast_enabled("cpu"))
    print((a @ b).dtype)
print((a @ b).dtype)


@torch.autocast("cpu")
def product(x):
    return x @ x


print(product(a).dtype, torch.is_autocast_enabled("cpu"))
w = torch.ones(3, 3, requires_grad=True)
with torch.autocast("cpu"):
    first, second = a @ w, b @ w
    print(first.grad_fn.next_functions[1][0] is second.grad_fn.next_functions[1][0])
(first.float().sum() + second.float().sum()).backward()
print(w.grad.dtype, w.grad)
with torch.autocast("cuda"):
    print((a @ b).dtype)
del model, optimizer, out, loss  # the last bits of bfloat16 sums depend on their order
