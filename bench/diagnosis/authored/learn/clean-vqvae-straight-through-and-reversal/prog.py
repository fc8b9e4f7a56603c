import torch
from torch import nn
from torch.nn import functional as F


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


class VectorQuantizerEMA(nn.Module):
    def __init__(self, codes=16, dim=6, decay=0.9, commitment=0.25):
        super().__init__()
        self.decay, self.commitment = decay, commitment
        self.register_buffer("codebook", torch.randn(codes, dim))
        self.register_buffer("count", torch.ones(codes))
        self.register_buffer("total", self.codebook.clone())

    def forward(self, z):
        with torch.no_grad():
            index = torch.cdist(z, self.codebook).argmin(dim=1)
        quantised = self.codebook[index]
        if self.training:
            self.update(z.detach(), index)
        loss = self.commitment * F.mse_loss(z, quantised.detach())
        return z + (quantised - z).detach(), loss, index

    @torch.no_grad()
    def update(self, z, index):
        onehot = F.one_hot(index, len(self.codebook)).to(z.dtype)
        self.count.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(onehot.t() @ z, alpha=1 - self.decay)
        self.codebook.copy_(self.total / self.count.clamp(min=1e-3).unsqueeze(1))


class SpeakerInvariantVQVAE(nn.Module):
    def __init__(self, dim=20, latent=6, speakers=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, latent))
        self.quantizer = VectorQuantizerEMA(dim=latent)
        self.decoder = nn.Sequential(nn.Linear(latent + speakers, 32), nn.ReLU(), nn.Linear(32, dim))
        self.adversary = nn.Sequential(nn.Linear(latent, 16), nn.ReLU(), nn.Linear(16, speakers))
        self.speakers = speakers

    def forward(self, x, speaker, strength=0.1):
        z = self.encoder(x)
        q, commit, index = self.quantizer(z)
        recon = self.decoder(torch.cat([q, F.one_hot(speaker, self.speakers).float()], dim=1))
        guess = self.adversary(GradientReversal.apply(z, strength))
        return {"recon": recon, "commit": commit, "guess": guess, "index": index}


def frames(n, speakers=3, phones=5, dim=20):
    speaker, phone = torch.randint(speakers, (n,)), torch.randint(phones, (n,))
    grid = torch.linspace(0, 3, dim)
    base = torch.stack([torch.sin((k + 1) * grid) for k in range(phones)])[phone]
    return base + 0.5 * (speaker.float() - 1)[:, None] + 0.1 * torch.randn(n, dim), speaker


def perplexity(index, codes=16):
    p = torch.bincount(index, minlength=codes).float() / len(index)
    return torch.exp(-(p * torch.log(p + 1e-10)).sum()).item()


def main():
    torch.manual_seed(44)
    x, speaker = frames(256)
    model = SpeakerInvariantVQVAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(5):
        model.train()
        for idx in torch.randperm(len(x)).split(32):
            out = model(x[idx], speaker[idx])
            recon = F.mse_loss(out["recon"], x[idx])
            loss = recon + out["commit"] + 0.1 * F.cross_entropy(out["guess"], speaker[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            out = model(x, speaker)
        print("epoch %d recon %.4f perplexity %.2f" % (epoch, F.mse_loss(out["recon"], x).item(), perplexity(out["index"])))


if __name__ == "__main__":
    main()
