import torch

p = torch.tensor([2.0], requires_grad=True)
for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.Rprop):
    opt = cls([p], lr=0.1)

    def closure():
        opt.zero_grad()
        print("grad enabled", torch.is_grad_enabled())
        loss = p.pow(2).sum()
        loss.backward()
        return loss

    with torch.no_grad():
        loss = opt.step(closure)
    print(loss, p, opt.step())
print(p.requires_grad, p.is_leaf, p._version)


def broken():
    raise KeyError("inside the closure")


opt.step(broken)
