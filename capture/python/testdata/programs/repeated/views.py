"""The same views again and again: of views, at other places, changed, without a gradient."""

import torch

w = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()


def folded(x):
    return x.transpose(1, 2).reshape(2, 2, 2, 3).permute(0, 3, 1, 2).unsqueeze(0)[0]


for i in range(40):
    y = folded(w * 1.0)
    y.sum().backward()
    if i % 13 == 0:
        print(i, y.shape, y._base is not None, type(y.grad_fn).__name__, w.grad.sum().item())

# Parts of one tensor, which lie at different places, and parts of those.
for i in range(30):
    parts = (w + i).view(6, 4).unbind(0) if i % 3 == 0 else (w + i).view(6, 4)
    total = 0.0
    for j in range(6):
        part = parts[j].view(2, 2).t()
        total += part[1].sum().item() * (part.storage_offset() + 1)
    if i % 7 == 0:
        print(i, total)

# A view of something that changes: its grad_fn is another one afterwards.
for i in range(25):
    h = w * 2.0
    row = h[1]
    flat = row.view(12)
    h.mul_(3.0)
    if i % 5 == 0:
        flat.mul_(0.5)
    (flat * row.reshape(12)).sum().backward()
    if i % 6 == 0:
        print(i, h._version, flat._version, type(flat.grad_fn).__name__, w.grad.abs().max().item())

# Views made without a gradient are of another kind, and one of many may not be changed.
for i in range(20):
    h = w * 2.0
    with torch.set_grad_enabled(i % 2 == 0):
        v = h.view(24)[i:]
    pair = h.view(2, 12).split(1)[i % 2].squeeze(0)
    for t in (v, pair):
        try:
            t.add_(1.0)
            print(i, t._version, end=" ") if i % 4 == 0 else None
        except RuntimeError as e:
            print(i, str(e)[:60]) if i < 4 else None
print()

# Other numbers in each step, as an optimizer gives them, and lists.
p, m, v = torch.ones(3), torch.zeros(3), torch.zeros(3)
for step in range(1, 40):
    m.mul_(0.9).add_(p, alpha=0.1)
    v.mul_(0.99).addcmul_(p, p, value=0.01)
    root = v.sqrt() / (1 - 0.99**step) ** 0.5
    torch.sigmoid_(input=torch.mul(input=m, other=float(step)))
    torch.nn.functional.relu(root, inplace=True)
    p.addcdiv_(m, root.add_(1e-8), value=-0.01 / (1 - 0.9**step))
    if step % 10 == 0:
        print(step, [round(x, 5) for x in p.tolist()], p._version)
    both = torch.cat([p, m]) if step % 2 else torch.cat((p, m, v))
    norm = torch.nn.functional.layer_norm(both, (len(both),))
    print(both.shape, round(norm.sum().item(), 3) + 0.0) if step % 15 == 0 else None

# Scaled by another number in each step, with a gradient: the node keeps the number.
for step in range(12):
    scaled = w * (0.5 + step)
    scaled.sum().backward()
    if step % 4 == 0:
        print(scaled.grad_fn.name(), w.grad[0, 0, 0].item())
