import torch

x = torch.ones(2, 3)
attempts = [
    lambda: torch.add(x),
    lambda: torch.add(x, "1"),
    lambda: torch.add(x, x, beta=2),
    lambda: x.sum(dim="a"),
    lambda: x.sum(dim=5),
    lambda: x.reshape("a"),
    lambda: x.view(4),
    lambda: x.nothing,
    lambda: torch.nothing,
    lambda: x.mean().nothing(),
    lambda: torch.zeros(-1),
    lambda: torch.zeros("2"),
    lambda: torch.cat([x, torch.ones(3, 3)], 1),
    lambda: torch.cat([]),
    lambda: torch.stack([x, torch.ones(2)]),
    lambda: torch.matmul(x, x),
    lambda: x.transpose(0, 4),
    lambda: torch.tensor([[1], [1, 2]]),
    lambda: torch.tensor("a"),
    lambda: torch.tensor(None),
    lambda: torch.arange(3, 0),
    lambda: torch.full((2,), "a"),
    lambda: x + "a",
    lambda: x + None,
    lambda: x + [1, 2, 3],
    lambda: torch.mean(torch.tensor([1, 2])),
    lambda: torch.ones(2).dot(torch.ones(3)),
    lambda: x.squeeze(0).max(2),
    lambda: x.permute(0),
    lambda: x.expand(3, 3),
]
for i, attempt in enumerate(attempts):
    try:
        print(i, attempt())
    except Exception as e:
        print(i, type(e).__name__, str(e).split("\n")[0])
x.sum(0, 1, 2, 3)
