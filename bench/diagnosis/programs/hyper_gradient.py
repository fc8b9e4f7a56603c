"""Learns penalties and the learning rate by differentiating through unrolled training steps."""

import torch
import torch.nn.functional as F

torch.manual_seed(128)


class Hyperparameters(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.log_decay = torch.nn.Parameter(torch.full((features,), -3.0))
        self.log_rate = torch.nn.Parameter(torch.tensor(-2.0))
        self.example_weights = torch.nn.Parameter(torch.zeros(24))

    def training_loss(self, weight, x, y):
        weights = torch.softmax(self.example_weights, dim=0)
        errors = (x @ weight - y) ** 2
        return (weights * errors).sum() + (self.log_decay.exp() * weight**2).sum()


def inner_train(hyper, x, y, steps):
    weight = torch.zeros(x.shape[1], requires_grad=True)
    velocity = torch.zeros(x.shape[1])
    for _ in range(steps):
        loss = hyper.training_loss(weight, x, y)
        (gradient,) = torch.autograd.grad(loss, weight, create_graph=True)
        velocity = 0.5 * velocity + gradient
        weight = weight - hyper.log_rate.exp() * velocity
    return weight


def make_data(truth, n, noise):
    x = torch.randn(n, len(truth))
    return x, x @ truth + noise * torch.randn(n)


def outer_step(hyper, optimizer, training, validation):
    optimizer.zero_grad()
    weight = inner_train(hyper, *training, steps=5)
    x, y = validation
    validation_loss = F.mse_loss(x @ weight, y)
    validation_loss.backward()
    torch.nn.utils.clip_grad_norm_(hyper.parameters(), 1.0)
    optimizer.step()
    return validation_loss.item(), weight.detach()


truth = torch.tensor([1.0, -2.0, 0.5, 0.0, 0.0, 0.0])
training = make_data(truth, 24, noise=0.3)
validation = make_data(truth, 24, noise=0.1)
training[1][:4] += 3.0
hyper = Hyperparameters(6)
optimizer = torch.optim.Adam(hyper.parameters(), lr=0.1)
history = []
for step in range(10):
    loss, weight = outer_step(hyper, optimizer, training, validation)
    history.append(loss)
    if step % 3 == 0:
        distance = (weight - truth).norm().item()
        print("step %d: validation %.4f, distance %.4f, rate %.4f" % (step, loss, distance, hyper.log_rate.exp().item()))
print("best %.4f" % min(history))
