import torch

# Optimizers as they were written before 2020: the number comes first.
w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
mean, square = torch.zeros(3), torch.zeros(3)
for step in range(1, 4):
    loss = (w * w).sum()
    loss.backward()
    d = w.grad.data
    mean.mul_(0.9).add_(0.1, d)
    square.mul_(0.999).addcmul_(0.001, d, d)
    rate = 0.1 * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
    w.data.addcdiv_(-rate, mean, square.sqrt().add_(1e-8))
    w.grad.zero_()
    print(step, loss.item(), w.detach())

m, v = torch.eye(2), torch.ones(2)
print(torch.add(m, 2, m), m.sub(2, m), torch.addcdiv(m, 3, m, m + 1))
print(torch.addmm(2, m, m, m), torch.addmm(2, m, 3, m, m), m.addmm(2, m, m), m.clone().addmm_(2, 3, m, m))
print(v.addmv(1, 2, m, v), torch.addr(1, m, 2, v, v), m.addr(2, v, v), m.addbmm(2, m[None], m[None]))
print(torch.add(torch.tensor(True), torch.tensor(True), True), torch.add(m, 2, other=m))
for bad in (lambda: m.add(m, 2), lambda: torch.addmm(m, 1, m, m), lambda: torch.addcmul(m, 2, m, tensor1=m)):
    try:
        print(bad())
    except TypeError as e:
        print(e)
