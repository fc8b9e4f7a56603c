import torch
import torch.nn as nn
import torch.nn.functional as F

WORDS = ["<s>", "red", "green", "blue", "left", "right", "</s>"]


def make_scene(n):
    images = 0.1 * torch.randn(n, 3, 12, 12)
    colour = torch.randint(0, 3, (n,))
    side = torch.randint(0, 2, (n,))
    for i in range(n):
        start = 0 if side[i] == 0 else 8
        images[i, colour[i], 4:8, start:start + 4] += 1.0
    words = torch.stack([torch.zeros(n).long(), colour + 1, side + 4, torch.full((n,), 6)], dim=1)
    return images, words


class Encoder(nn.Module):
    def __init__(self, features=24):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, features, 3, padding=1, stride=2)
        self.features = features

    def forward(self, images):
        maps = F.relu(self.conv2(F.relu(self.conv1(images))))
        batch, channels, height, width = maps.shape
        return maps.flatten(2).transpose(1, 2)


class Attention(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.from_region = nn.Linear(features, hidden)
        self.from_state = nn.Linear(hidden, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(self, regions, state):
        e = self.score(torch.tanh(self.from_region(regions) + self.from_state(state).unsqueeze(1)))
        weight = F.softmax(e, dim=1)
        return (weight * regions).sum(dim=1)


class Decoder(nn.Module):
    def __init__(self, features=24, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(len(WORDS), 16)
        self.attention = Attention(features, hidden)
        self.cell = nn.GRUCell(16 + features, hidden)
        self.out = nn.Linear(hidden, len(WORDS))
        self.hidden = hidden

    def forward(self, regions, words):
        state = regions.new_zeros(len(regions), self.hidden)
        logits = []
        for t in range(words.shape[1] - 1):
            context = self.attention(regions, state)
            state = self.cell(torch.cat([self.embed(words[:, t]), context], dim=1), state)
            logits.append(self.out(state))
        return torch.stack(logits, dim=1)


def fit(encoder, decoder, images, words, epochs, batch=32):
    params = list(encoder.parameters()) + list(decoder.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    for epoch in range(epochs):
        order = torch.randperm(len(images))
        for start in range(0, len(images), batch):
            idx = order[start:start + batch]
            logits = decoder(encoder(images[idx]), words[idx])
            loss = F.cross_entropy(logits.flatten(0, 1), words[idx, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, 5.0)
            opt.step()
        print("epoch", epoch, "loss", round(loss.item(), 4))


torch.manual_seed(3)
fit(Encoder(), Decoder(), *make_scene(160), epochs=3)
