"""Changes in place without gradients of tensors that share memory, or that do not fit."""

import torch



def attempt(what, f):
    try:
        result = f()
    except RuntimeError as e:
        print(what, "raised", e)
    else:
        print(what, result if result is None else result.tolist())


print("memory")
x = torch.arange(6.0)
with torch.no_grad():
    for i in range(3):
        y = x.clone()
        y += x
        y -= y
        attempt("itself", lambda: y.add_(y))
        attempt("all of it", lambda: y.add_(y.detach()))
        attempt("overlapping", lambda: x[1:].sub_(x[:-1]))
        attempt("another shape", lambda: x.view(1, 6).add_(x))
        attempt("expanded", lambda: torch.zeros(1).expand(3).add_(1.0))
        attempt("a part", lambda: x[2:4].mul_(2.0))
        attempt("too long", lambda: torch.zeros(2).add_(torch.zeros(3)))
        attempt("longer", lambda: torch.zeros(3).add_(torch.zeros(2, 3)))
        attempt("integers", lambda: torch.arange(3).add_(1.5))
        attempt("of another type", lambda: torch.zeros(2).add_(torch.ones(2, dtype=torch.float64)))
        attempt("copied", lambda: torch.zeros(2).copy_(torch.arange(2)))
        attempt("filled", lambda: torch.zeros(2, dtype=torch.uint8).fill_(300 - i * 100))

print("inference")
for i in range(2):
    with torch.inference_mode():
        made = torch.zeros(2)
        made.add_(1.0)
    attempt("made", lambda: made.add_(1.0))
    with torch.no_grad():
        attempt("made", lambda: made.add_(1.0))
