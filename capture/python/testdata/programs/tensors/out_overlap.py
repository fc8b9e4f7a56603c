import torch
import torch.nn.functional as F

x = torch.ones(2, 3)
expanded = torch.zeros(1, 3).expand(2, 3)


def attempt(name, call):
    try:
        print(name, call())
    except RuntimeError as e:
        print(name, "->", e)


attempt("add", lambda: torch.add(x, x, out=expanded))
attempt("exp", lambda: torch.exp(x, out=expanded))
attempt("cumsum", lambda: torch.cumsum(x, 0, out=expanded))
attempt("mm", lambda: torch.mm(x, torch.ones(3, 3), out=expanded))
attempt("softplus", lambda: F.softplus(expanded, out=expanded))
attempt("softshrink", lambda: F.softshrink(expanded, out=expanded))
attempt("add_", lambda: expanded.add_(1))
attempt("threshold_", lambda: F.threshold_(expanded, 0.5, 0.25))
attempt("threshold", lambda: F.threshold(expanded, 0.5, 2.0, inplace=True))
print(expanded._base)
