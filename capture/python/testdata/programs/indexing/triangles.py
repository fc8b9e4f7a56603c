import torch

x = torch.arange(1, 13).reshape(3, 4)
print(x.tril(), x.triu(1), x.tril(-1), torch.tril_indices(3, 3), torch.triu_indices(2, 3, 1), x.diagonal(1), x.diag(), torch.diag(torch.tensor([1, 2]), -1), torch.diag_embed(torch.tensor([[1, 2]])), x.trace() if x.shape[0] == x.shape[1] else x[:, :3].trace())
print(x[tuple(torch.tril_indices(3, 4))], torch.block_diag(torch.ones(1, 2), torch.tensor([[5.0]])), x.rot90(), x.flip(0), x.roll(1, 1), x.roll(2), torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij"))
x[0].fill_(0)
x.fill_diagonal_(9)
print(x, torch.eye(2, 3), x.repeat(1, 2).shape, x.repeat_interleave(2, dim=0).shape, x.tile(2).shape, x.expand(2, 3, 4).shape)
for bad in (lambda: torch.ones(2).tril(), lambda: torch.ones(2, 2, 2).trace(), lambda: x.diagonal(0, 0, 0), lambda: torch.diag(torch.ones(2, 2, 2)), lambda: x.rot90(1, (0, 0)), lambda: x.expand(5, 4), lambda: x.flip(5)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
