import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, n_in=12, latent=6):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_in, 20), nn.LeakyReLU(0.1), nn.Linear(20, latent))

    def forward(self, x):
        return self.layers(x)


class Decoder(nn.Module):
    def __init__(self, latent=6, n_out=12):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(latent, 20), nn.LeakyReLU(0.1), nn.Linear(20, n_out))

    def forward(self, z):
        return self.layers(z)


class ClusteringModel(nn.Module):
    def __init__(self, clusters=4, latent=6):
        super().__init__()
        self.encoder, self.decoder = Encoder(latent=latent), Decoder(latent=latent)
        self.centroids = nn.Parameter(torch.randn(clusters, latent))

    def assign(self, z):
        q = 1.0 / (1.0 + torch.cdist(z, self.centroids) ** 2)
        return q / q.sum(dim=1, keepdim=True)

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z), self.assign(z)


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad = flag


def mixture(n, k=4, dim=12):
    centers = 3 * torch.randn(k, dim)
    labels = torch.randint(k, (n,))
    return centers[labels] + 0.5 * torch.randn(n, dim), labels


def sharpen(q):
    p = q ** 2 / q.sum(0)
    return (p / p.sum(1, keepdim=True)).detach()


class DeepClustering:
    def __init__(self, model, lr=5e-3, weight_decay=1e-2):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)

    def zero_grad(self):
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.zero_()

    def pretrain(self, x, epochs):
        for _ in range(epochs):
            for batch in x.split(32):
                recon, _ = self.model(batch)
                self.zero_grad()
                F.mse_loss(recon, batch).backward()
                self.optimizer.step()
        set_trainable(self.model.encoder, False)
        set_trainable(self.model.decoder, False)

    def cluster(self, x, epochs):
        for epoch in range(epochs):
            for batch in x.split(32):
                _, q = self.model(batch)
                loss = F.kl_div(q.log(), sharpen(q), reduction="batchmean")
                self.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("cluster epoch", epoch, "kl %.4f" % loss.item())


def purity(assignments, labels, k=4):
    total = 0
    for c in range(k):
        members = labels[assignments == c]
        if len(members):
            total += torch.bincount(members, minlength=k).max().item()
    return total / len(labels)


if __name__ == "__main__":
    torch.manual_seed(4)
    x, labels = mixture(160)
    model = ClusteringModel()
    runner = DeepClustering(model)
    runner.pretrain(x, epochs=6)
    before = model.encoder.layers[0].weight.clone()
    runner.cluster(x, epochs=4)
    with torch.no_grad():
        recon, q = model(x)
    print("purity %.3f recon %.3f" % (purity(q.argmax(1), labels), F.mse_loss(recon, x).item()))
