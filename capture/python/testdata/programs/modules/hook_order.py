import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 2)))
fired = []
for name, m in net.named_modules():
    m.register_forward_pre_hook(lambda m, args, name=name: fired.append("pre " + name))
    m.register_forward_hook(lambda m, args, out, name=name: fired.append("post " + name))
    m.register_full_backward_pre_hook(lambda m, go, name=name: fired.append("backward pre " + name))
    m.register_full_backward_hook(lambda m, gi, go, name=name: fired.append("backward " + name))
x = torch.ones(1, 2, requires_grad=True)
net(x).sum().backward()
print("\n".join(fired))

twice = nn.Linear(1, 1, bias=False)
seen = []
twice.register_full_backward_hook(lambda m, gi, go: seen.append((gi[0] is None, tuple(go[0].shape))))
z = torch.ones(1, 1, requires_grad=True)
twice(twice(z)).sum().backward()
print(seen)
y = twice(z).sum()
y.backward(retain_graph=True)
y.backward()
print(len(seen), torch.autograd.grad(twice(z).sum(), z)[0].shape, len(seen))


class Mixed(nn.Module):
    def forward(self, a, b):
        return a * b, None, 3


mixed = Mixed()
mixed.register_full_backward_hook(lambda m, gi, go: print(gi, go))
out = mixed(z, z)
print(out[1:])
out[0].backward(torch.ones(1, 1))


class Nothing(nn.Module):
    def forward(self):
        return torch.ones(1)


n = Nothing()
n.register_forward_pre_hook(lambda m, args: print(args))
n.register_full_backward_hook(lambda *args: None)
print(n().requires_grad)
kept = nn.Tanh()
kept.register_forward_hook(lambda m: None)
kept(x)
