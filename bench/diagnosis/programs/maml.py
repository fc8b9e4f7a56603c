"""MAML on sine waves: the inner step is differentiated."""

import torch
import torch.nn.functional as F

torch.manual_seed(19)

INNER_LR = 0.1


def init_parameters(width):
    shapes = [(width, 1), (width,), (1, width), (1,)]
    parameters = []
    for shape in shapes:
        scale = 0.5 if len(shape) == 2 else 0.0
        parameters.append((scale * torch.randn(shape)).requires_grad_())
    return parameters


def forward(parameters, x):
    w1, b1, w2, b2 = parameters
    h = torch.tanh(F.linear(x, w1, b1))
    return F.linear(h, w2, b2)


class SineTask:
    def __init__(self):
        self.amplitude = 0.5 + torch.rand(1)
        self.phase = 3.14 * torch.rand(1)

    def sample(self, n):
        x = 4 * torch.rand(n, 1) - 2
        return x, self.amplitude * torch.sin(x + self.phase)


def adapt(parameters, x, y, steps):
    for _ in range(steps):
        loss = F.mse_loss(forward(parameters, x), y)
        gradients = torch.autograd.grad(loss, parameters, create_graph=True)
        parameters = [p - INNER_LR * g for p, g in zip(parameters, gradients)]
    return parameters


meta_parameters = init_parameters(10)
meta_optimizer = torch.optim.Adam(meta_parameters, lr=0.01)
for iteration in range(4):
    meta_optimizer.zero_grad()
    meta_loss = 0.0
    for _ in range(3):
        task = SineTask()
        support_x, support_y = task.sample(6)
        query_x, query_y = task.sample(6)
        adapted = adapt(meta_parameters, support_x, support_y, steps=2)
        meta_loss = meta_loss + F.mse_loss(forward(adapted, query_x), query_y) / 3
    meta_loss.backward()
    meta_optimizer.step()
    print(f"{iteration}: {meta_loss.item():.4f}")
