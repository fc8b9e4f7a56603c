import copy

import torch
import torch.nn as nn

torch.manual_seed(35)


class Net(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x))).squeeze(1)


class WeightAverage:
    def __init__(self, model):
        self.average = copy.deepcopy(model)
        self.count = 0

    def add(self, model):
        with torch.no_grad():
            for a, p in zip(self.average.parameters(), model.parameters()):
                a += (p - a) / (self.count + 1)
        self.count += 1


def mse(model, x, y):
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


x = torch.randn(60, 4)
y = x[:, 0] * 2 - x[:, 1].abs() + 0.2 * torch.randn(60)
x_train, y_train, x_test, y_test = x[:40], y[:40], x[40:], y[40:]
model = Net(4, 12)
average = WeightAverage(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.02, max_lr=0.1, step_size_up=2, cycle_momentum=False)
swa_start = 2
for epoch in range(5):
    for rows in torch.randperm(40).split(10):
        optimizer.zero_grad()
        prediction = model(x_train[rows])
        loss = nn.functional.mse_loss(prediction, y_train[rows])
        loss.backward()
        optimizer.step()
        scheduler.step()
    if epoch >= swa_start:
        average.add(model)
    print(epoch, round(mse(model, x_test, y_test), 4))
print("average of", average.count, "is", round(mse(average.average, x_test, y_test), 4))
