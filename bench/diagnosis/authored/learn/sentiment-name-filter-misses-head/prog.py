import random

import torch
import torch.nn as nn
import torch.nn.functional as F

POSITIVE = "great lovely brilliant enjoyable superb fun".split()
NEGATIVE = "awful boring dull terrible weak messy".split()
NEUTRAL = "the film was and with plot actor scene very a".split()


class Tokenizer:
    def __init__(self, words):
        self.index = {w: i + 1 for i, w in enumerate(words)}

    def __call__(self, texts, length=8):
        rows = [[self.index.get(w, 0) for w in t.split()][:length] for t in texts]
        return torch.tensor([r + [0] * (length - len(r)) for r in rows])


class EncoderBlock(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.intermediate = nn.Linear(dim, 2 * dim)
        self.output = nn.Linear(2 * dim, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        x = self.norm1(x + self.attention(x, x, x, need_weights=False)[0])
        return self.norm2(x + self.output(F.gelu(self.intermediate(x))))


class TinyBert(nn.Module):
    def __init__(self, vocab, dim=16, layers=2):
        super().__init__()
        self.embeddings = nn.Embedding(vocab, dim, padding_idx=0)
        self.encoder = nn.ModuleList(EncoderBlock(dim, 2) for _ in range(layers))
        self.pooler = nn.Linear(dim, dim)

    def forward(self, ids):
        x = self.embeddings(ids)
        for block in self.encoder:
            x = block(x)
        return torch.tanh(self.pooler(x.mean(dim=1)))


class BertForSentiment(nn.Module):
    def __init__(self, bert, dim=16, num_labels=2):
        super().__init__()
        self.bert = bert
        self.pre_classifier_bert = nn.Linear(dim, dim)
        self.bert_classifier = nn.Linear(dim, num_labels)

    def forward(self, ids):
        return self.bert_classifier(F.relu(self.pre_classifier_bert(self.bert(ids))))


def freeze_bert(model):
    for name, param in model.named_parameters():
        if "bert" in name and "pooler" not in name:
            param.requires_grad = False


def reviews(n, rng):
    texts, labels = [], []
    for _ in range(n):
        label = rng.randint(0, 1)
        words = rng.sample(NEUTRAL, 4) + rng.sample(POSITIVE if label else NEGATIVE, 2)
        rng.shuffle(words)
        texts.append(" ".join(words))
        labels.append(label)
    return texts, torch.tensor(labels)


def train(model, ids, labels, epochs=4, batch=16, lr=5e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        perm, total = torch.randperm(len(ids)), 0.0
        for idx in perm.split(batch):
            loss = F.cross_entropy(model(ids[idx]), labels[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch} loss {total / len(ids):.4f}")


def main():
    torch.manual_seed(0)
    rng = random.Random(0)
    tok = Tokenizer(NEUTRAL + POSITIVE + NEGATIVE)
    (texts, labels), (test_texts, test_labels) = reviews(128, rng), reviews(64, rng)
    model = BertForSentiment(TinyBert(len(tok.index) + 1))
    freeze_bert(model)
    train(model, tok(texts), labels)
    with torch.no_grad():
        acc = (model(tok(test_texts)).argmax(1) == test_labels).float().mean().item()
    print("test accuracy %.3f" % acc)
    return model


if __name__ == "__main__":
    model = main()
