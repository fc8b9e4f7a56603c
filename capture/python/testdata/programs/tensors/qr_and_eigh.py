import torch

a = torch.tensor([[2.0, 1.0, 3.0], [1.0, 3.0, 0.5], [0.2, 1.0, 4.0]], dtype=torch.float64, requires_grad=True)
q, r = torch.linalg.qr(a)
print(q, r, torch.allclose(q @ r, a))
(q.sum() + r.sum()).backward()
print(a.grad)
a.grad = None
values, vectors = torch.linalg.eigh(a + a.T)
print(values, vectors.abs(), torch.linalg.eigvalsh(a + a.T).grad_fn.name())
values.prod().backward()
print(a.grad)
w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], dtype=torch.float64, requires_grad=True)
print(torch.linalg.qr(w, mode="r"), torch.linalg.qr(w, mode="complete").R.shape, torch.linalg.householder_product(*torch.geqrf(w.detach())).shape)
for bad in (lambda: torch.linalg.qr(w, mode="r").R.sum().backward(), lambda: torch.linalg.qr(w, mode="complete").Q.sum().backward(), lambda: torch.linalg.qr(w, mode="x"), lambda: torch.linalg.qr(torch.ones(3)), lambda: torch.linalg.eigh(w), lambda: torch.linalg.eigh(a, UPLO="X"), lambda: torch.linalg.eigh(torch.ones(2, 2, dtype=torch.int64)), lambda: torch.linalg.qr(torch.ones(2, 2, dtype=torch.half))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
