"""A regression with uncertainty; the settings and the outputs are dataclasses, the batches are dicts."""

from dataclasses import dataclass, field

import torch
from torch import nn

torch.manual_seed(103)


@dataclass
class ModelConfig:
    inputs: int = 4
    hidden: int = 20
    layers: int = 2
    dropout: float = 0.1


@dataclass
class Config:
    model: ModelConfig = field(default_factory=ModelConfig)
    lr: float = 0.01
    steps: int = 12
    batch: int = 16
    clip: float = 1.0


@dataclass
class Output:
    mean: torch.Tensor
    log_variance: torch.Tensor
    loss: torch.Tensor = None


class Regressor(nn.Module):
    def __init__(self, config):
        super().__init__()
        sizes = [config.inputs] + [config.hidden] * config.layers
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.dropout = nn.Dropout(config.dropout)
        self.mean = nn.Linear(config.hidden, 1)
        self.log_variance = nn.Linear(config.hidden, 1)

    def forward(self, features, target=None):
        h = features
        for layer in self.layers:
            h = self.dropout(torch.relu(layer(h)))
        output = Output(self.mean(h).squeeze(-1), self.log_variance(h).squeeze(-1))
        if target is not None:
            error = (output.mean - target) ** 2
            output.loss = 0.5 * (error * (-output.log_variance).exp() + output.log_variance).mean()
        return output


def loader(config, batches):
    for _ in range(batches):
        features = torch.randn(config.batch, config.model.inputs)
        noise = 0.1 + 0.3 * (features[:, 1] > 0).float()
        yield {"features": features, "target": features[:, 0] - features[:, 2] + noise * torch.randn(config.batch)}


def train(config):
    model = Regressor(config.model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr, weight_decay=0.01)
    model.train()
    for step, batch in enumerate(loader(config, config.steps)):
        output = model(**batch)
        optimizer.zero_grad(set_to_none=True)
        output.loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()
        if step % 4 == 0:
            print("step", step, "loss %.4f" % output.loss.item())
    return model


@torch.no_grad()
def evaluate(model, config):
    model.eval()
    errors = []
    for batch in loader(config, 2):
        output = model(batch["features"])
        errors.append((output.mean - batch["target"]).abs().mean().item())
    return sum(errors) / len(errors)


config = Config(lr=0.02)
model = train(config)
print("error %.4f" % evaluate(model, config))
