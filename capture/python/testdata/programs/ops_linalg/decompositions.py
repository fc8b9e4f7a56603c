import torch

a = torch.tensor([[3.0, 0.0], [4.0, 5.0], [0.0, 1.0]], dtype=torch.float64, requires_grad=True)
u, s, vh = torch.linalg.svd(a, full_matrices=False)
print(s, (u * s) @ vh, torch.linalg.svdvals(a), torch.linalg.svd(a)[0].shape, torch.svd(a)[1], a.svd(some=True).S, torch.svd(a, compute_uv=False).S)
print(torch.linalg.pinv(a), torch.pinverse(a), a.pinverse(), torch.linalg.pinv(a, rcond=0.5), torch.linalg.pinv(a, atol=0.1, rtol=0.2), torch.linalg.pinv(a.T @ a, hermitian=True), torch.linalg.pinv(a, torch.tensor(0.5, dtype=torch.float64)), torch.linalg.pinv(a, atol=torch.tensor(1e-3, dtype=torch.float64)))
print(torch.linalg.norm(a), torch.linalg.norm(a, 1), torch.linalg.norm(a, "fro"), torch.linalg.norm(a, "nuc"), torch.linalg.norm(a, 2), torch.linalg.norm(a, -2), torch.linalg.norm(a[0], 3), torch.linalg.norm(a, float("inf")), torch.linalg.norm(a, dim=1), torch.linalg.norm(a, 1, (0, 1), keepdim=True))
print(torch.linalg.vector_norm(a), torch.linalg.vector_norm(a, 1, dim=0), torch.linalg.vector_norm(a, float("inf")), torch.linalg.vector_norm(a, 0), torch.linalg.vector_norm(a, ord=3, keepdim=True, dtype=torch.float64), torch.linalg.matrix_norm(a), torch.linalg.matrix_norm(a, "nuc"), torch.linalg.matrix_norm(a, 1), torch.linalg.matrix_norm(a, -1, keepdim=True), torch.linalg.matrix_norm(a, 2), torch.linalg.matrix_norm(a, float("-inf")))
(torch.linalg.svdvals(a).sum() + torch.linalg.pinv(a).sum() + torch.linalg.norm(a) + torch.linalg.norm(a, "nuc") + torch.linalg.vector_norm(a, 3) + torch.linalg.matrix_norm(a, 1) + u.abs().sum() + torch.linalg.norm(a, 2)).backward()
print(a.grad)
solution = torch.linalg.lstsq(a, torch.ones(3, 1, dtype=torch.float64))
print(solution.solution, solution.rank, solution.residuals)
for bad in (lambda: torch.linalg.svd(torch.ones(3)), lambda: torch.linalg.svd(torch.ones(2, 2, dtype=torch.long)), lambda: torch.linalg.norm(a, "abc"), lambda: torch.linalg.norm(a, 3), lambda: torch.linalg.matrix_norm(a[0]), lambda: torch.linalg.vector_norm(torch.tensor([1, 2])), lambda: torch.linalg.pinv(torch.ones(2)), lambda: torch.linalg.matrix_norm(a, 5), lambda: torch.linalg.lstsq(a, torch.ones(2, dtype=torch.float64)), lambda: torch.lobpcg_nothing, lambda: torch.linalg.nothing):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
