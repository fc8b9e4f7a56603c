import torch
from torch import nn

torch.manual_seed(0)
layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
layers.append(nn.ReLU())
layers.extend(nn.Tanh() for _ in range(2))
layers += [nn.Sigmoid()]
layers.insert(0, nn.Identity())
print(len(layers), layers)
print(layers[-1], layers[1:3], isinstance(layers[::2], nn.ModuleList))
layers[0] = nn.ReLU()
del layers[-1]
del layers[1:3]
print([n for n, _ in layers.named_children()], layers.pop(1))
print(layers + [nn.Dropout(0.1)], len(layers))
x = torch.ones(1, 2)
for i, layer in enumerate(layers):
    x = layer(x)
print(x, layers[0] in layers, list(reversed(list(layers)))[0])
print([n for n, _ in layers.named_parameters()], list(layers.state_dict()))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: layers[7])
attempt(lambda: layers["0"])
attempt(lambda: layers.append(nn.functional.relu))
attempt(lambda: layers.extend(nn.ReLU()))
attempt(lambda: layers.extend(3))
attempt(lambda: nn.ModuleList(5))
attempt(lambda: layers(x))
attempt(lambda: layers.__setitem__(0, 3))
attempt(lambda: nn.ModuleList([nn.ReLU(), 3]))
attempt(lambda: layers + 5)
plain = nn.Module()
plain.layers = [nn.Linear(1, 1)]
print(list(plain.parameters()))
