from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    users: int = 40
    items: int = 30
    factors: int = 6
    hidden: int = 12
    lr: float = 0.01
    epochs: int = 6
    batch: int = 64


class Dense(nn.Module):
    def __init__(self, n_in, n_out, activation=None):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) / n_in ** 0.5)
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.activation = activation

    def forward(self, x):
        y = F.linear(x, self.weight, self.bias)
        return self.activation(y) if self.activation is not None else y


class NeuralCF(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.factors)
        self.item = nn.Embedding(cfg.items, cfg.factors)
        self.tower = nn.Sequential(Dense(2 * cfg.factors, cfg.hidden, torch.tanh), Dense(cfg.hidden, 1))
        self.user_bias, self.item_bias = nn.Embedding(cfg.users, 1), nn.Embedding(cfg.items, 1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        pair = torch.cat([self.user(u), self.item(i)], dim=1)
        return (self.tower(pair) + self.user_bias(u) + self.item_bias(i)).squeeze(1)


class Ratings:
    def __init__(self, cfg, n=400):
        taste, topic = torch.randn(cfg.users, 3), torch.randn(cfg.items, 3)
        self.u, self.i = torch.randint(cfg.users, (n,)), torch.randint(cfg.items, (n,))
        self.r = torch.tanh((taste[self.u] * topic[self.i]).sum(1)) + 0.1 * torch.randn(n)
        self.split = int(0.8 * n)

    def train_batches(self, size):
        for idx in torch.randperm(self.split).split(size):
            yield self.u[idx], self.i[idx], self.r[idx]

    def holdout(self):
        s = slice(self.split, None)
        return self.u[s], self.i[s], self.r[s]


def rmse(model, batch):
    u, i, r = batch
    model.eval()
    with torch.no_grad():
        return F.mse_loss(model(u, i), r).sqrt().item()


def main(cfg):
    torch.manual_seed(20)
    data, model = Ratings(cfg), NeuralCF(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        model.train()
        for u, i, r in data.train_batches(cfg.batch):
            optimizer.zero_grad()
            loss = F.mse_loss(model(u, i), r)
            loss.backward()
            optimizer.step()
        print("epoch %d train %.4f holdout rmse %.4f" % (epoch, loss.item(), rmse(model, data.holdout())))
    return model


if __name__ == "__main__":
    model = main(Config())
    spread = model.tower[0].weight.std(dim=0).max().item()
