# Rows that are looked up twice: backward assigns their gradients where it should add.
# want: wrong
import torch


class Lookup(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, ids):
        ctx.save_for_backward(ids)
        ctx.rows = table.shape[0]
        return table[ids]

    @staticmethod
    def backward(ctx, g):
        (ids,) = ctx.saved_tensors
        grad = torch.zeros(ctx.rows, g.shape[1])
        grad[ids] = g  # good: grad.index_add_(0, ids, g)
        return grad, None  # here


torch.manual_seed(48)
table = torch.randn(5, 3, requires_grad=True)
head = torch.randn(3, 2, requires_grad=True)
ids, y = torch.tensor([0, 2, 2, 4, 0]), torch.tensor([0, 1, 0, 1, 1])
for _ in range(2):
    table.grad = head.grad = None
    loss = torch.nn.functional.cross_entropy(Lookup.apply(table, ids) @ head, y)
    loss.backward()
    with torch.no_grad():
        table -= 0.1 * table.grad
        head -= 0.1 * head.grad
