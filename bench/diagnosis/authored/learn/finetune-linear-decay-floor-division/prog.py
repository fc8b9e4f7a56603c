from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainingArguments:
    num_train_epochs: int = 3
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 2
    learning_rate: float = 5e-3
    warmup_ratio: float = 0.1
    max_grad_norm: float = 1.0


def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps):
    def lr_lambda(step):
        if step < num_warmup_steps:
            return step / max(1, num_warmup_steps)
        return max(0.0, (num_training_steps - step) / max(1, num_training_steps - num_warmup_steps))

    return LambdaLR(optimizer, lr_lambda)


class TextCNN(nn.Module):
    def __init__(self, vocab=50, dim=12, filters=8, classes=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList(nn.Conv1d(dim, filters, k, padding=k // 2) for k in (2, 3, 4))
        self.out = nn.Linear(3 * filters, classes)

    def forward(self, ids):
        x = self.embed(ids).transpose(1, 2)
        pooled = [F.relu(conv(x)).max(dim=2).values for conv in self.convs]
        return self.out(torch.cat(pooled, dim=1))


class Trainer:
    def __init__(self, model, args, dataset):
        self.model, self.args = model, args
        self.loader = DataLoader(dataset, batch_size=args.per_device_train_batch_size, shuffle=True)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
        self.scheduler = self.create_scheduler(len(dataset))

    def create_scheduler(self, num_examples):
        a = self.args
        effective = a.per_device_train_batch_size * a.gradient_accumulation_steps
        steps_per_epoch = len(self.loader) // effective
        total = steps_per_epoch * a.num_train_epochs
        return get_linear_schedule_with_warmup(self.optimizer, int(total * a.warmup_ratio), total)

    def train(self):
        a = self.args
        for epoch in range(a.num_train_epochs):
            self.model.train()
            losses = []
            for step, (ids, labels) in enumerate(self.loader):
                loss = F.cross_entropy(self.model(ids), labels)
                (loss / a.gradient_accumulation_steps).backward()
                losses.append(loss.item())
                if (step + 1) % a.gradient_accumulation_steps == 0:
                    nn.utils.clip_grad_norm_(self.model.parameters(), a.max_grad_norm)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
            print({"epoch": epoch, "loss": round(sum(losses) / len(losses), 4)})

    @torch.no_grad()
    def evaluate(self, dataset):
        self.model.eval()
        ids, labels = dataset.tensors
        return {"accuracy": (self.model(ids).argmax(1) == labels).float().mean().item()}


def tickets(n):
    labels = torch.randint(3, (n,))
    ids = torch.randint(20, 50, (n, 12))
    marker = torch.randint(5, (n, 2)) + 5 * labels[:, None]
    ids[:, 3:5] = marker
    return TensorDataset(ids, labels)


if __name__ == "__main__":
    torch.manual_seed(17)
    model = TextCNN()
    trainer = Trainer(model, TrainingArguments(), tickets(96))
    start = model.out.weight.detach().clone()
    trainer.train()
    print(trainer.evaluate(tickets(60)))
