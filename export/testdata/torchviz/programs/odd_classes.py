import torch


def forward(ctx, x):
    ctx.save_for_backward(x)
    return x * 2


def backward(ctx, g):
    return g * 2


# Names that python-graphviz leaves alone, quotes, or takes for markup.
names = ["Plain", "été", "two words", "1", '"', "<i>", "\\N"]
root = torch.ones(2, requires_grad=True)
params = {"x": root}
for name in names:
    root = type(
        name, (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    ).apply(root)
