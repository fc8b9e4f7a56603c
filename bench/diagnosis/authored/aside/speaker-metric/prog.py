import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class StatsPooling(nn.Module):
    def forward(self, x):
        return torch.cat([x.mean(dim=2), x.var(dim=2, unbiased=False).add(1e-6).sqrt()], dim=1)


class SpeakerNet(nn.Module):
    """TDNN trunk with an additive-margin classification head."""

    def __init__(self, mels=10, emb=16, speakers=6, scale=10.0, margin=0.1):
        super().__init__()
        self.frontend = nn.Sequential(
            nn.Conv1d(mels, 24, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(24),
            nn.Conv1d(24, 24, 3, padding=2, dilation=2), nn.ReLU(), nn.BatchNorm1d(24),
        )
        self.pool = StatsPooling()
        self.project = nn.Linear(48, emb)
        self.centers = nn.Parameter(torch.randn(speakers, emb))
        self.scale, self.margin = scale, margin

    @torch.no_grad()
    def embed(self, feats):
        x = self.pool(self.frontend(feats))
        return F.normalize(self.project(x), dim=1)

    def forward(self, feats, speaker=None):
        cosine = self.embed(feats) @ F.normalize(self.centers, dim=1).t()
        if speaker is not None:
            cosine = cosine - self.margin * F.one_hot(speaker, cosine.size(1)).float()
        return cosine * self.scale


class Verifier:
    def __init__(self, model):
        self.model = model
        self.enrolled = {}

    def enroll(self, name, utterances):
        self.model.eval()
        self.enrolled[name] = self.model.embed(utterances).mean(dim=0)

    def score(self, name, utterance):
        return F.cosine_similarity(self.model.embed(utterance.unsqueeze(0)), self.enrolled[name][None]).item()


def utterances(speakers=6, per_speaker=16, mels=10, frames=30):
    profile = torch.randn(speakers, mels, 1)
    labels = torch.arange(speakers).repeat_interleave(per_speaker)
    return profile[labels] * 0.4 + torch.randn(len(labels), mels, frames), labels


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[3], gamma=0.3)
    for epoch in range(epochs):
        model.train()
        total, hits = 0.0, 0
        for feats, speaker in loader:
            logits = model(feats, speaker)
            loss = F.cross_entropy(logits, speaker)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(speaker)
            hits += int((logits.argmax(1) == speaker).sum())
        scheduler.step()
        n = len(loader.dataset)
        print(f"epoch {epoch} loss {total / n:.4f} acc {hits / n:.3f}")


if __name__ == "__main__":
    torch.manual_seed(10)
    feats, labels = utterances()
    loader = DataLoader(TensorDataset(feats, labels), batch_size=24, shuffle=True)
    model = SpeakerNet()
    train(model, loader, epochs=4)
    verifier = Verifier(model)
    for s in range(2):
        verifier.enroll(s, feats[labels == s][:8])
    probe = feats[labels == 0][-1]
    print("same %.3f other %.3f" % (verifier.score(0, probe), verifier.score(1, probe)))
