import torch

names = [
    'say "hi"',
    "back\\slash",
    '\\"',
    '\\\\"',
    "<b>",
    "<b>bold</b>",
    "a\nb",
    "été",
    "-1.5",
    "node",
    "x y",
    "",
    "tab\t",
    "$",
]
tensors = [torch.ones(i, requires_grad=True) for i, _ in enumerate(names)]
root = torch.cat(tensors)
params = dict(zip(names, tensors))
