"""Recommends by factors of users and items, with biases."""

import torch
from torch import nn

torch.manual_seed(43)


class Factorization(nn.Module):
    def __init__(self, users, items, factors, mean):
        super().__init__()
        self.user_factors = nn.Embedding(users, factors)
        self.item_factors = nn.Embedding(items, factors)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        self.mean = mean
        for table in (self.user_factors, self.item_factors):
            nn.init.normal_(table.weight, std=0.1)
        for bias in (self.user_bias, self.item_bias):
            nn.init.zeros_(bias.weight)

    def forward(self, user, item):
        match = (self.user_factors(user) * self.item_factors(item)).sum(dim=1)
        bias = self.user_bias(user) + self.item_bias(item)
        return self.mean + match + bias.squeeze(1)


def ratings(users, items, n):
    user_taste, item_style = torch.randn(users, 2), torch.randn(items, 2)
    user = torch.randint(users, (n,))
    item = torch.randint(items, (n,))
    rating = 3.0 + (user_taste[user] * item_style[item]).sum(dim=1) + 0.1 * torch.randn(n)
    return user, item, rating


user, item, rating = ratings(10, 8, 96)
train, test = slice(0, 80), slice(80, 96)
model = Factorization(10, 8, 3, rating[train].mean().item())
factors = [model.user_factors.weight, model.item_factors.weight]
biases = [model.user_bias.weight, model.item_bias.weight]
optimizer = torch.optim.Adam([{"params": factors, "weight_decay": 1e-4}, {"params": biases}], lr=0.05)
for epoch in range(4):
    squared = 0.0
    for rows in torch.randperm(80).split(20):
        prediction = model(user[rows], item[rows])
        loss = nn.functional.mse_loss(prediction, rating[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        squared += loss.item() * len(rows)
    with torch.no_grad():
        held_out = nn.functional.mse_loss(model(user[test], item[test]), rating[test])
    print(f"epoch {epoch}: train {squared / 80:.3f}, test {held_out.item():.3f}")
