import torch

a = torch.tensor([[4.0, 1.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.0], [2.0]], dtype=torch.float64, requires_grad=True)
print(torch.linalg.det(a), torch.det(a), a.det(), torch.linalg.slogdet(a), torch.slogdet(a), a.slogdet(), torch.logdet(a), a.logdet(), torch.linalg.inv(a), torch.inverse(a), a.inverse(), torch.linalg.inv_ex(a))
print(torch.linalg.solve(a, b), torch.linalg.solve(a, b.T, left=False), torch.linalg.solve_ex(a, b), torch.linalg.cholesky(a), torch.cholesky(a), a.cholesky(upper=True), torch.linalg.cholesky_ex(a), torch.cholesky_solve(b, torch.linalg.cholesky(a)), b.cholesky_solve(torch.linalg.cholesky(a)), torch.linalg.cholesky(a, upper=True))
print(torch.linalg.solve_triangular(a.tril(), b, upper=False), torch.triangular_solve(b, a.triu()), b.triangular_solve(a.triu(), transpose=True), torch.linalg.solve_triangular(a.triu(), b, upper=True, unitriangular=True))
print(torch.linalg.matrix_power(a, 3), torch.matrix_power(a, 2), a.matrix_power(-1), torch.linalg.matrix_exp(a / 4), torch.matrix_exp(a / 4), (a / 4).matrix_exp())
(torch.linalg.det(a) + torch.linalg.inv(a).sum() + torch.linalg.solve(a, b).sum() + torch.linalg.cholesky(a).sum() + torch.logdet(a) + torch.linalg.slogdet(a)[1] + torch.linalg.solve_triangular(a.tril(), b, upper=False).sum() + torch.linalg.matrix_power(a, 2).sum() + torch.matrix_exp(a / 4).sum() + torch.cholesky_solve(b, torch.linalg.cholesky(a)).sum() + torch.linalg.cholesky_ex(a).L.sum() + torch.linalg.inv_ex(a).inverse.sum()).backward()
print(a.grad, b.grad)
s = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
print(torch.det(s), torch.linalg.slogdet(s), torch.linalg.inv_ex(s).info, torch.linalg.matrix_rank(s), torch.linalg.matrix_rank(s, tol=0.1), torch.linalg.matrix_rank(s, atol=1.0, rtol=0.5), torch.linalg.matrix_rank(s, hermitian=True), torch.linalg.matrix_rank(s, atol=torch.tensor(10.0)), torch.linalg.matrix_rank(s, torch.tensor(0.1)))
for bad in (lambda: torch.linalg.inv(s), lambda: torch.linalg.solve(s, torch.ones(2)), lambda: torch.linalg.cholesky(-s), lambda: torch.linalg.det(torch.ones(2, 3)), lambda: torch.linalg.inv(torch.ones(2)), lambda: torch.linalg.solve(a, torch.ones(3, 1)), lambda: torch.inverse(torch.tensor([[1, 2], [3, 4]])), lambda: torch.linalg.matrix_power(torch.ones(2, 3), 2), lambda: torch.linalg.matrix_power(s, -1), lambda: torch.linalg.solve_triangular(s, torch.ones(2, 1)), lambda: torch.cholesky_solve(torch.ones(3, 1), s)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
torch.linalg.inv(s.double())
