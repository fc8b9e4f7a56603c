import torch
import torch.nn.functional as F

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = torch.tensor([[0.5, -1.0], [2.0, 1.0]], requires_grad=True)
v, w = torch.tensor([1.0, -1.0], requires_grad=True), torch.tensor([2.0, 3.0])
c = torch.stack([a, b])
print(torch.mm(a, b), a.mm(b), torch.mv(a, v), a.mv(v), torch.dot(v, w), v.dot(w), torch.vdot(v, w), v.vdot(w), torch.inner(a, b), v.inner(w), torch.outer(v, w), v.ger(w), torch.ger(v, w), v.outer(w))
print(torch.bmm(c, c), c.bmm(c), torch.matmul(c, v), a.matmul(b), a @ v, c @ a, v @ c, a.__rmatmul__(b), torch.linalg.matmul(a, b), torch.linalg.vecdot(a, b), torch.linalg.multi_dot([a, b, v]), torch.chain_matmul(a, b, a))
print(torch.addmm(a, b, b, beta=0.5, alpha=2), a.addmm(b, b), torch.addmv(v, a, w), v.addmv(a, w, alpha=0.1), torch.addr(a, v, w), a.addr(v, w, beta=2), torch.addbmm(a, c, c), a.addbmm(c, c, beta=0.0), torch.baddbmm(c, c, c, beta=1, alpha=0.5), c.baddbmm(c, c))
d = torch.ones(2, 2)
print(d.addmm_(b, b), d.addr_(v, w), d.addbmm_(c, c, alpha=0.1), torch.ones(2).addmv_(a, w), torch.zeros(2, 2, 2).baddbmm_(c, c))
print(torch.einsum("ij,jk->ik", a, b), torch.einsum("ii", a), torch.einsum("i,j->ij", v, w), torch.einsum("bij,j->bi", c, v), torch.einsum("...ij->...ji", c), torch.einsum("ij,ij->", [a, b]), torch.einsum("ij", a))
print(torch.tensordot(a, b), torch.tensordot(a, b, 1), torch.tensordot(a, b, dims=([0], [1])), torch.kron(a, b), a.kron(v), torch.cross(torch.tensor([1.0, 0, 0]), torch.tensor([0.0, 1, 0]), dim=0), torch.linalg.cross(torch.ones(2, 3), torch.arange(6.0).reshape(2, 3)), torch.tensor([1.0, 2, 3]).cross(torch.ones(3), 0))
print(F.linear(v, a, w), F.linear(a, b), F.bilinear(a, b, c, w), torch.bilinear(a, b, c, None), F.linear(c, a, v).grad_fn.name(), F.linear(v, w))
((a @ b).sum() + (c @ v).sum() + torch.addmm(a, b, b).sum() + torch.einsum("ij,jk->", a, b) + torch.kron(a, b).sum() + torch.outer(v, w)[0, 0] + F.bilinear(a, b, c).sum() + torch.tensordot(a, b, 1)[0, 0] + torch.linalg.vecdot(a, b)[0]).backward()
print(a.grad, b.grad, v.grad)
i = torch.tensor([[1, 2], [3, 4]])
print(i @ i, i.mv(torch.tensor([1, 1])), torch.tensor([1, 2]).dot(torch.tensor([3, 4])))
for bad in (lambda: torch.mm(a, v), lambda: torch.mv(a, torch.ones(3)), lambda: torch.dot(a, a), lambda: torch.dot(v, torch.ones(3)), lambda: torch.bmm(a, a), lambda: torch.bmm(c, torch.ones(3, 2, 2)), lambda: a @ torch.ones(3), lambda: a @ torch.tensor(1.0), lambda: a @ i, lambda: torch.addmm(torch.ones(3), a, b), lambda: torch.einsum("ij,jk", a), lambda: torch.einsum("ij,jk->iz", a, b), lambda: torch.einsum("ijk", a), lambda: torch.tensordot(a, torch.ones(3, 3), 1), lambda: torch.cross(v, v, dim=0), lambda: F.linear(a, torch.ones(3, 3)), lambda: torch.outer(a, v), lambda: F.bilinear(a, b, torch.ones(1, 3, 3)), lambda: torch.linalg.multi_dot([a]), lambda: a @ 2, lambda: v.dot(i[0])):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
