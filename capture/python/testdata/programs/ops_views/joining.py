import torch

a, b = torch.tensor([[1.0, 2.0]], requires_grad=True), torch.tensor([[3.0, 4.0]], requires_grad=True)
print(torch.cat([a, b]), torch.cat((a, b), dim=1), torch.concat([a, b], 0), torch.concatenate([a, b], axis=1), torch.cat([a, torch.empty(0)]), torch.cat([a, torch.ones(1, 2, dtype=torch.int32)]).dtype)
print(torch.stack([a, b]), torch.stack((a, b), dim=-1), torch.hstack([a, b]), torch.vstack((a, b)), torch.dstack([a, b]), torch.column_stack([a, b]), torch.row_stack([a, b]))
print(torch.hstack([torch.tensor(1), torch.tensor([2, 3])]), torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]), torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])]))
(torch.cat([a, b, a]).pow(2).sum() + torch.stack([a, b], 1)[0, 1].sum()).backward()
print(a.grad, b.grad, torch.stack([a, b]).grad_fn.name(), torch.cat([a, b]).grad_fn.name(), torch.hstack([a, b]).grad_fn.name())
print(a.repeat(2, 2), torch.tile(a, (2,)), a.tile(2, 1), a.repeat_interleave(2), torch.repeat_interleave(a, 2, dim=0), torch.repeat_interleave(torch.tensor([1, 2, 3]), torch.tensor([0, 2, 1])), torch.repeat_interleave(torch.tensor([2, 0, 1])), torch.tensor([[1, 2], [3, 4]]).repeat_interleave(torch.tensor([1, 2]), dim=0))
print(a.expand(3, 2), a.expand(2, -1, 2).shape, a.expand_as(torch.ones(2, 2)), torch.broadcast_to(a, (2, 2)), a.broadcast_to(2, 2), torch.broadcast_tensors(a, torch.ones(3, 1))[0].shape)
print(torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4, 5]), indexing="ij"), torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3]), indexing="xy"))
out = torch.empty(2, 2)
torch.cat([a.detach(), b.detach()], out=out)
print(out, torch.block_diag(a, b), torch.cartesian_prod(torch.tensor([1, 2])))
for bad in (lambda: torch.cat([a, torch.ones(1, 3)]), lambda: torch.cat([a, torch.ones(2)]), lambda: torch.stack([a, torch.ones(2)]), lambda: torch.cat(a), lambda: torch.cat([a, 1]), lambda: torch.stack([]), lambda: torch.cat([a, b], 3), lambda: a.repeat(2), lambda: a.expand(2, 3), lambda: a.expand(-1, 2, 2) if False else a.expand(2), lambda: a.repeat_interleave(-1), lambda: torch.meshgrid(torch.tensor([1]), indexing="no"), lambda: torch.repeat_interleave(a, torch.tensor([1, 2, 3]), dim=0), lambda: torch.broadcast_to(a, (3,))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
