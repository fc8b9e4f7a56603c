import torch
from torch import nn

torch.manual_seed(0)
p = nn.ParameterList([nn.Parameter(torch.ones(i + 1, 2)) for i in range(2)])
p.append(torch.zeros(3))
p.extend([torch.ones(1), "text"])
p += [nn.Parameter(torch.tensor(2.0))]
print(p, len(p))
print(p[0], type(p[2]).__name__, p[-2], p[1:3])
p[0] = torch.full((2,), 5.0)
print(type(p[0]).__name__, [n for n, _ in p.named_parameters()])
for x in p:
    print(type(x).__name__)
print(list(p.state_dict()), isinstance(p[0::2], nn.ParameterList))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ws = nn.ParameterList([torch.ones(2), torch.ones(2)])

    def forward(self, x):
        for w in self.ws:
            x = x * w
        return x


net = Net()
print(net)
net(torch.ones(2)).sum().backward()
print([q.grad for q in net.ws])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: p[10])
attempt(lambda: p.extend(3))
attempt(lambda: p.extend(torch.ones(2)))
attempt(lambda: nn.ParameterList(5))
attempt(lambda: p(1))
attempt(lambda: p["a"])
attempt(lambda: p.pop())
print(nn.ParameterList())
