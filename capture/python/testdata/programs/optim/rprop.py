import torch


def train(**settings):
    torch.manual_seed(0)
    w = torch.randn(2, 3, requires_grad=True)
    b = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Rprop([w, b], **settings)
    x, y = torch.randn(8, 2), torch.randn(8, 3)
    for _ in range(6):
        optimizer.zero_grad()
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(settings, loss.item())
    print(w, b)
    for name, value in optimizer.state[w].items():
        print(name, value)


train(lr=0.1)
train(lr=0.1, etas=(0.4, 1.5), step_sizes=(1e-3, 0.2))
train(lr=0.1, maximize=True)
p = torch.zeros(2, requires_grad=True)
print(torch.optim.Rprop([p]))
print(torch.optim.Rprop([p]).defaults)
