import torch

x = torch.tensor([[3.0, 1.0], [2.0, 4.0]])
print(x.sum(axis=0), x.sum(dim=1, keepdims=True), torch.sum(input=x, dim=0), torch.add(input=x, other=1, alpha=2), x.max(dim=1).values, torch.argmax(x, axis=1), torch.mean(x, axis=(0, 1)), x.std(dim=0, unbiased=False), x.var(dim=0, correction=0), torch.cat(tensors=(x, x), dim=1), torch.stack([x, x], dim=-1).shape, x.transpose(dim0=0, dim1=1), x.reshape(shape=(4,)), torch.full(size=(2,), fill_value=3))
for bad in (lambda: x.sum(dims=0), lambda: torch.add(x, y=1), lambda: x.sum(0, dim=0), lambda: torch.zeros(2, size=3), lambda: torch.sum(), lambda: torch.sum(1), lambda: x.view("a"), lambda: x.reshape(3), lambda: torch.stack(x, 5), lambda: torch.cat(x[0]), lambda: torch.cat(1), lambda: x.transpose(0), lambda: torch.softmax(x), lambda: x.expand(3), lambda: torch.rand(2, dtype=torch.int64), lambda: torch.ones(2.5), lambda: torch.arange(), lambda: torch.eye(-1), lambda: x.repeat(2), lambda: x.permute(0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
