"""A training loop made of functions that return functions."""

import torch
import torch.nn.functional as F

torch.manual_seed(102)


def dense(inputs, outputs, activation=None):
    weight = torch.nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
    bias = torch.nn.Parameter(torch.zeros(outputs))

    def apply(x):
        y = F.linear(x, weight, bias)
        return activation(y) if activation else y

    return apply, [weight, bias]


def chain(*layers):
    parameters = [p for _, owned in layers for p in owned]

    def apply(x):
        for layer, _ in layers:
            x = layer(x)
        return x

    return apply, parameters


def make_loss(network, weight_decay, parameters):
    def loss_of(x, labels):
        data_loss = F.cross_entropy(network(x), labels)
        penalty = sum(p.pow(2).sum() for p in parameters if p.dim() > 1)
        loss = data_loss + weight_decay * penalty
        return loss, data_loss

    return loss_of


def make_step(loss_of, optimizer, scheduler):
    def step(x, labels):
        optimizer.zero_grad()
        loss, data_loss = loss_of(x, labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        return data_loss.item()

    return step


def make_evaluation(network):
    def accuracy(x, labels):
        with torch.no_grad():
            guess = network(x).argmax(dim=1)
        return (guess == labels).float().mean().item()

    return accuracy


def spirals(n):
    t = torch.rand(n) * 3
    labels = torch.randint(0, 3, (n,))
    angle = t + labels * 2.0944
    points = torch.stack((t * angle.cos(), t * angle.sin()), dim=1)
    return points + 0.05 * torch.randn_like(points), labels


network, parameters = chain(dense(2, 24, torch.tanh), dense(24, 24, torch.tanh), dense(24, 3))
optimizer = torch.optim.SGD(parameters, lr=0.2, momentum=0.9, nesterov=True)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.3, total_steps=12)
step = make_step(make_loss(network, 1e-4, parameters), optimizer, scheduler)
accuracy = make_evaluation(network)
x, labels = spirals(96)
order = torch.randperm(96)
for epoch in range(3):
    losses = [step(x[i], labels[i]) for i in order.split(24)]
    print(epoch, "loss %.4f accuracy %.3f" % (sum(losses) / len(losses), accuracy(x, labels)))
