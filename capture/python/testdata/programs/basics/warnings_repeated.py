import torch
import torch.nn.functional as F

x = torch.ones(2, 3, 3, requires_grad=True)
y = x * 2
base = torch.ones(3, 3)
i = torch.tensor([[0, 1, 2]])
attempts = {
    "grad": lambda: y.grad,
    "scatter": lambda: base.scatter(0, i, base, reduce="add"),
    "index_reduce": lambda: base.index_reduce(0, i[0], base, "prod"),
    "T": lambda: x.T,
    "T0": lambda: torch.tensor(1.0).T,
    "mT0": lambda: torch.tensor(1.0).mT,
    "H0": lambda: torch.tensor(1.0).H,
    "adjoint0": lambda: torch.tensor(1.0).adjoint(),
    "meshgrid": lambda: torch.meshgrid(torch.ones(2), torch.ones(2)),
    "where": lambda: torch.where(torch.ones(3, 3).byte(), base, base),
    "mask": lambda: base[torch.ones(3, 3).byte()],
    "chain": lambda: torch.chain_matmul(base, base),
    "cross": lambda: torch.cross(base, base),
    "range": lambda: torch.range(0, 2),
    "std": lambda: torch.ones(1).std(),
    "cov": lambda: torch.cov(torch.ones(2, 1)),
    "out": lambda: torch.add(base, 1, out=torch.ones(2)),
    "mse": lambda: F.mse_loss(torch.ones(2), torch.ones(1, 2)),
    "reduce": lambda: F.mse_loss(base, base, reduce=False),
    "softmax": lambda: F.softmax(base),
    "softmin": lambda: F.softmin(base),
    "grid": lambda: F.grid_sample(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 1, 2)),
    "dropout2d": lambda: F.dropout2d(torch.ones(2, 2, 2)),
    "tensor": lambda: torch.tensor(base),
    "sigmoid": lambda: F.sigmoid(base),
    "tanh": lambda: F.tanh(base),
    "upsample": lambda: F.upsample(torch.ones(1, 1, 2, 2), scale_factor=2),
    "cholesky": lambda: torch.cholesky(torch.eye(2)),
    "triangular": lambda: torch.triangular_solve(torch.ones(2, 1), torch.eye(2)),
    "same": lambda: F.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 2), padding="same"),
    "kl": lambda: F.kl_div(base, base, reduction="mean"),
    "norm": lambda: torch.norm(base),
    "create_graph": lambda: x.sum().backward(create_graph=True),
    "expanded": lambda: torch.ones(1).expand(3).index_fill_(0, torch.tensor([0]), 2),
    "storage": lambda: base.storage(),
}
for name, attempt in attempts.items():
    print(name)
    attempt()
for name, attempt in attempts.items():
    print(name)
    attempt()
for name in ("grad", "scatter", "T"):
    attempts[name]()
y.grad
y.grad
x.T
