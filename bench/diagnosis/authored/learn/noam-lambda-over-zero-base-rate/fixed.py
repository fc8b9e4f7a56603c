import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


class CopyTask:
    def __init__(self, vocab=9, length=6, batch=16):
        self.vocab, self.length, self.batch = vocab, length, batch

    def __iter__(self):
        while True:
            src = torch.randint(1, self.vocab, (self.batch, self.length))
            tgt = src.flip(1)
            start = torch.zeros(self.batch, 1, dtype=torch.long)
            yield src, torch.cat([start, tgt[:, :-1]], dim=1), tgt


class Seq2Seq(nn.Module):
    def __init__(self, vocab, d_model=16, heads=2, layers=1):
        super().__init__()
        self.src_embed = nn.Embedding(vocab, d_model)
        self.tgt_embed = nn.Embedding(vocab, d_model)
        self.positions = nn.Parameter(0.1 * torch.randn(1, 16, d_model))
        self.transformer = nn.Transformer(d_model, heads, layers, layers, 32, dropout=0.0, batch_first=True)
        self.generator = nn.Linear(d_model, vocab)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, src, tgt):
        mask = torch.triu(torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool), diagonal=1)
        s = self.src_embed(src) + self.positions[:, :src.size(1)]
        t = self.tgt_embed(tgt) + self.positions[:, :tgt.size(1)]
        return self.generator(self.transformer(s, t, tgt_mask=mask))


def rate(step, model_size, factor, warmup):
    if step == 0:
        step = 1
    return factor * (model_size ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))


class LabelSmoothing(nn.Module):
    def __init__(self, size, smoothing):
        super().__init__()
        self.size, self.smoothing = size, smoothing
        self.criterion = nn.KLDivLoss(reduction="batchmean")

    def forward(self, logits, target):
        true = torch.full_like(logits, self.smoothing / (self.size - 1))
        true.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        return self.criterion(logits.log_softmax(dim=-1), true)


def get_std_opt(model, d_model, warmup):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.5, betas=(0.9, 0.98), eps=1e-9)
    scheduler = LambdaLR(optimizer, lr_lambda=lambda step: rate(step, d_model, 1.0, warmup))
    return optimizer, scheduler


def run(model, task, criterion, optimizer, scheduler, steps):
    model.train()
    total, tokens = 0.0, 0
    for i, (src, tgt, tgt_y) in enumerate(task):
        if i == steps:
            break
        logits = model(src, tgt)
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt_y.reshape(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
        total, tokens = total + loss.item(), tokens + 1
        if (i + 1) % 10 == 0:
            print("step %3d loss %.4f" % (i + 1, total / tokens))
            total, tokens = 0.0, 0


if __name__ == "__main__":
    torch.manual_seed(8)
    V, d_model = 9, 16
    model = Seq2Seq(V, d_model)
    before = model.generator.weight.detach().clone()
    optimizer, scheduler = get_std_opt(model, d_model, warmup=10)
    run(model, CopyTask(V), LabelSmoothing(V, 0.1), optimizer, scheduler, steps=30)
