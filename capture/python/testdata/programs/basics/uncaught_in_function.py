import torch


def layer(x, w):
    return torch.relu(x @ w)


def network(x, weights):
    for w in weights:
        x = layer(x, w)
    return x


weights = [torch.ones(4, 3, requires_grad=True), torch.ones(4, 2)]
print(layer(torch.ones(1, 4), weights[0]))
network(torch.ones(1, 4), weights)
