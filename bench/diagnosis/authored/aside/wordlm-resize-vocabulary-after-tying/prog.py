import torch
from torch import nn


class Vocabulary:
    def __init__(self, text):
        self.itos = sorted(set(text.split()))
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def add(self, words):
        new = [w for w in words if w not in self.stoi]
        for w in new:
            self.stoi[w] = len(self.itos)
            self.itos.append(w)
        return len(new)

    def encode(self, text):
        return torch.tensor([self.stoi[w] for w in text.split()])

    def __len__(self):
        return len(self.itos)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=24, dropout=0.1):
        super().__init__()
        self.ninp = ninp
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, ninp, 1)
        self.decoder = nn.Linear(ninp, ntoken)
        self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def add_words(self, count):
        old_encoder, old_decoder = self.encoder, self.decoder
        n = old_encoder.num_embeddings
        self.encoder = nn.Embedding(n + count, self.ninp)
        self.decoder = nn.Linear(self.ninp, n + count)
        with torch.no_grad():
            self.encoder.weight.uniform_(-0.1, 0.1)
            self.encoder.weight[:n] = old_encoder.weight
            self.decoder.weight[:n] = old_decoder.weight
            self.decoder.weight[n:] = self.encoder.weight[n:]
            self.decoder.bias.zero_()
            self.decoder.bias[:n] = old_decoder.bias

    def forward(self, tokens, hidden=None):
        emb = self.drop(self.encoder(tokens))
        out, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(out)), hidden


def batchify(ids, bsz):
    nbatch = len(ids) // bsz
    return ids[:nbatch * bsz].view(bsz, -1).t().contiguous()


def train(model, data, bptt=6, epochs=3, lr=5e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(epochs):
        hidden, total, steps = None, 0.0, 0
        for i in range(0, len(data) - 1, bptt):
            seq = min(bptt, len(data) - 1 - i)
            x, y = data[i:i + seq], data[i + 1:i + 1 + seq]
            if hidden is not None:
                hidden = tuple(h.detach() for h in hidden)
            output, hidden = model(x, hidden)
            loss = criterion(output.view(-1, output.size(-1)), y.reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            total, steps = total + loss.item(), steps + 1
        print("epoch", epoch, "loss", round(total / steps, 4))


GENERAL = "the cat sat on the mat and the dog sat on the rug while the bird sang to the cat " * 12
DOMAIN = "the pump pushed the water to the tank while the valve sat on the pump and the sensor sang " * 12

torch.manual_seed(3)
vocab = Vocabulary(GENERAL)
model = RNNModel(len(vocab))
print("pre-training on", len(vocab), "words")
train(model, batchify(vocab.encode(GENERAL), 4))

model.add_words(vocab.add(DOMAIN.split()))
print("fine-tuning on", len(vocab), "words", sum(p.numel() for p in model.parameters()), "parameters")
train(model, batchify(vocab.encode(DOMAIN), 4))

model.eval()
with torch.no_grad():
    logits, _ = model(vocab.encode("the pump pushed the")[:, None])
print("next:", vocab.itos[logits[-1, 0].argmax()])
