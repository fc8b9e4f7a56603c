import torch

a = torch.tensor([[2.0, 1.0, 3.0], [4.0, 3.0, 0.5], [0.2, 1.0, 4.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.0], [2.0], [3.0]], dtype=torch.float64, requires_grad=True)
p, l, u = torch.linalg.lu(a)
print(p, l, u)
lu, pivots = torch.linalg.lu_factor(a)
x = torch.linalg.lu_solve(lu, pivots, b)
print(lu, pivots, x, torch.allclose(a @ x, b))
x.sum().backward()
print(a.grad, b.grad)
print(torch.lu_unpack(lu, pivots)[1].grad_fn.name(), torch.linalg.lu_factor_ex(torch.zeros(2, 2)), torch.linalg.lu(torch.arange(6.0).reshape(3, 2)))
print(torch.linalg.cond(a.detach()), torch.linalg.cond(a.detach(), 1), torch.linalg.tensorinv(torch.eye(4).reshape(2, 2, 4) * 2, ind=2)[0], torch.linalg.tensorsolve(torch.eye(4).reshape(2, 2, 4) + 1, torch.ones(2, 2)), torch.cholesky_inverse(torch.tensor([[2.0, 0.0], [1.0, 2.0]])), torch.linalg.vander(torch.tensor([1.0, 2.0, 3.0])))
for bad in (lambda: torch.linalg.lu_factor(torch.zeros(2, 2)), lambda: torch.linalg.lu(a, pivot=False), lambda: torch.linalg.lu_factor(torch.ones(3)), lambda: torch.linalg.inv(torch.zeros(2, 2)), lambda: torch.linalg.cond(torch.ones(2, 3), 1), lambda: torch.linalg.tensorinv(torch.ones(2, 3), ind=1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
print(isinstance(torch.linalg.LinAlgError("x"), RuntimeError))
torch.linalg.inv(torch.zeros(2, 2))
