import copy

import torch
from torch import nn

torch.manual_seed(68)


class Client:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def train(self, model, epochs, lr):
        model = copy.deepcopy(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5)
        criterion = nn.CrossEntropyLoss()
        model.train()
        total = 0.0
        for _ in range(epochs):
            for xb, yb in zip(self.x.split(6), self.y.split(6)):
                optimizer.zero_grad()
                loss = criterion(model(xb), yb)
                loss.backward()
                optimizer.step()
                total += loss.item()
        return model.state_dict(), total


class Server:
    def __init__(self, model):
        self.model = model

    def aggregate(self, states):
        average = copy.deepcopy(states[0])
        for name in average:
            average[name] = torch.stack([state[name] for state in states]).mean(dim=0)
        self.model.load_state_dict(average)

    def evaluate(self, x, y):
        self.model.eval()
        with torch.no_grad():
            return (self.model(x).argmax(dim=1) == y).float().mean().item()


def make_data(n):
    x = torch.randn(n, 5)
    return x, x[:, :3].argmax(dim=1)


clients = []
for shift in (-0.5, 0.0, 0.5):
    x, y = make_data(18)
    clients.append(Client(x + shift, y))
server = Server(nn.Sequential(nn.Linear(5, 14), nn.ReLU(), nn.Dropout(0.1), nn.Linear(14, 3)))
test_x, test_y = make_data(30)
for round_number in range(3):
    results = [client.train(server.model, epochs=1, lr=0.1) for client in clients]
    server.aggregate([state for state, _ in results])
    loss = sum(total for _, total in results)
    print(round_number, round(loss, 3), server.evaluate(test_x, test_y))
