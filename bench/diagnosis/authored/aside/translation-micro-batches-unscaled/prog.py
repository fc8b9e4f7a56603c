import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset

PAD, BOS, EOS = 0, 1, 2


class ReversalTask(IterableDataset):
    """Source: random letters. Target: the same letters in reverse order."""

    def __init__(self, n, letters=8, length=5, seed=0):
        self.n, self.letters, self.length, self.seed = n, letters, length, seed

    def __iter__(self):
        rng = random.Random(self.seed)
        for _ in range(self.n):
            src = [rng.randrange(3, 3 + self.letters) for _ in range(self.length)]
            yield torch.tensor(src + [EOS]), torch.tensor([BOS] + src[::-1] + [EOS])


class Seq2Seq(nn.Module):
    def __init__(self, vocab=11, dim=32):
        super().__init__()
        self.src_emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.mix = nn.Linear(2 * dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, src, tgt_in):
        memory, state = self.encoder(self.src_emb(src))
        hidden, _ = self.decoder(self.tgt_emb(tgt_in), state)
        weights = torch.softmax(hidden @ memory.transpose(1, 2) / hidden.size(-1) ** 0.5, dim=-1)
        mixed = torch.tanh(self.mix(torch.cat([hidden, weights @ memory], dim=-1)))
        return self.out(mixed)


class TrainArgs:
    micro_batch = 8
    accum_steps = 4
    lr = 0.2
    momentum = 0.9
    epochs = 2
    log_every = 4


def label_smoothed_nll(logits, target, eps=0.1):
    logp = F.log_softmax(logits, dim=-1)
    nll = -logp.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    smooth = -logp.mean(dim=-1)
    mask = target.ne(PAD)
    return ((1 - eps) * nll + eps * smooth)[mask].mean()


class Trainer:
    def __init__(self, model, dataset, args):
        self.model, self.args = model, args
        self.loader = DataLoader(dataset, batch_size=args.micro_batch)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)
        self.num_updates = 0

    def forward_backward(self, src, tgt):
        logits = self.model(src, tgt[:, :-1])
        loss = label_smoothed_nll(logits, tgt[:, 1:])
        loss.backward()
        return loss.detach()

    def update(self, window):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.num_updates += 1
        if self.num_updates % self.args.log_every == 0:
            print("update %d loss %.4f" % (self.num_updates, torch.stack(window).mean()))

    def train(self):
        self.model.train()
        for _ in range(self.args.epochs):
            window = []
            for i, (src, tgt) in enumerate(self.loader):
                window.append(self.forward_backward(src, tgt))
                if (i + 1) % self.args.accum_steps == 0:
                    self.update(window)
                    window = []


@torch.no_grad()
def token_accuracy(model, dataset):
    hits = total = 0
    for src, tgt in DataLoader(dataset, batch_size=32):
        pred = model(src, tgt[:, :-1]).argmax(-1)
        hits += (pred == tgt[:, 1:]).sum().item()
        total += pred.numel()
    return hits / total


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Seq2Seq()
    Trainer(model, ReversalTask(320), TrainArgs()).train()
    print("token accuracy %.3f" % token_accuracy(model, ReversalTask(64, seed=9)))
