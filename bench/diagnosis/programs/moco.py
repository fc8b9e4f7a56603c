"""Momentum contrast: a queue of keys from a slowly moving encoder."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(110)


class Encoder(nn.Module):
    def __init__(self, inputs, width, outputs):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.second = nn.Linear(width, outputs)

    def forward(self, x):
        h = F.relu(self.first(x))
        return F.normalize(self.second(h), dim=1)


class MoCo(nn.Module):
    def __init__(self, size, momentum, temperature):
        super().__init__()
        self.query_encoder = Encoder(12, 24, 8)
        self.key_encoder = Encoder(12, 24, 8)
        self.key_encoder.load_state_dict(self.query_encoder.state_dict())
        for parameter in self.key_encoder.parameters():
            parameter.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(size, 8), dim=1))
        self.momentum, self.temperature, self.pointer = momentum, temperature, 0

    @torch.no_grad()
    def update_key_encoder(self):
        for key, query in zip(self.key_encoder.parameters(), self.query_encoder.parameters()):
            key.mul_(self.momentum).add_(query, alpha=1 - self.momentum)

    @torch.no_grad()
    def enqueue(self, keys):
        end = self.pointer + len(keys)
        self.queue[self.pointer : end] = keys
        self.pointer = end % len(self.queue)

    def forward(self, first_view, second_view):
        queries = self.query_encoder(first_view)
        with torch.no_grad():
            self.update_key_encoder()
            keys = self.key_encoder(second_view)
        positive = (queries * keys).sum(dim=1, keepdim=True)
        negative = queries @ self.queue.clone().t()
        logits = torch.cat((positive, negative), dim=1) / self.temperature
        return logits, keys


def views(n):
    x = torch.randn(n, 12)
    return x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)


def main():
    model = MoCo(size=32, momentum=0.9, temperature=0.2)
    optimizer = torch.optim.SGD(model.query_encoder.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    for step in range(12):
        first_view, second_view = views(8)
        logits, keys = model(first_view, second_view)
        labels = torch.zeros(len(logits), dtype=torch.long)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.enqueue(keys)
        if step % 4 == 3:
            print("step", step, "loss %.4f" % loss.item(), "accuracy %.2f" % (logits.argmax(dim=1) == 0).float().mean().item())


if __name__ == "__main__":
    main()
