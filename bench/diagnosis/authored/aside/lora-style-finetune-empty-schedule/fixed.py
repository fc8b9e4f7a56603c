import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class FinetuneArgs:
    batch_size: int = 8
    grad_accum: int = 8
    epochs: int = 6
    lr: float = 5e-2
    warmup_ratio: float = 0.1
    rank: int = 2
    alpha: float = 4.0


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.lora_a = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + (x @ self.lora_a.t() @ self.lora_b.t()) * self.scaling


class TextClassifier(nn.Module):
    def __init__(self, vocab=50, dim=16, classes=2):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.fc1, self.fc2 = nn.Linear(dim, dim), nn.Linear(dim, classes)

    def forward(self, tokens):
        return self.fc2(torch.tanh(self.fc1(self.emb(tokens))))


def inject_lora(model, args):
    model.emb.weight.requires_grad = False
    for name in ("fc1", "fc2"):
        setattr(model, name, LoRALinear(getattr(model, name), args.rank, args.alpha))
    return model


def linear_schedule_with_warmup(optimizer, warmup, total):
    def lr_lambda(step):
        if step < warmup:
            return step / max(1, warmup)
        return max(0.0, (total - step) / max(1, total - warmup))
    return LambdaLR(optimizer, lr_lambda)


class Finetuner:
    def __init__(self, model, dataset, args):
        self.model, self.args = model, args
        self.loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True)
        trainable = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(trainable, lr=args.lr)
        self.num_training_steps = math.ceil(len(dataset) / (args.batch_size * args.grad_accum)) * args.epochs
        self.num_warmup_steps = int(args.warmup_ratio * self.num_training_steps)
        self.scheduler = linear_schedule_with_warmup(self.optimizer, self.num_warmup_steps, self.num_training_steps)

    def train(self):
        loss_fn = nn.CrossEntropyLoss()
        for epoch in range(self.args.epochs):
            running = 0.0
            for i, (tokens, label) in enumerate(self.loader, 1):
                loss = loss_fn(self.model(tokens), label)
                (loss / min(self.args.grad_accum, len(self.loader))).backward()
                running += loss.item()
                if i % self.args.grad_accum == 0 or i == len(self.loader):
                    nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
            print(f"epoch {epoch} loss {running / len(self.loader):.4f}")


torch.manual_seed(0)
args = FinetuneArgs()
tokens = torch.randint(0, 50, (40, 6))
labels = (tokens.float().mean(1) > 24.5).long()
model = inject_lora(TextClassifier(), args)
finetuner = Finetuner(model, TensorDataset(tokens, labels), args)
finetuner.train()
accuracy = (model(tokens).argmax(1) == labels).float().mean().item()
print("accuracy", accuracy, "adapter norm", round(model.fc1.lora_b.norm().item(), 4))
