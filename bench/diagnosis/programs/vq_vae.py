import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(55)


class VectorQuantizer(nn.Module):
    def __init__(self, codes, width, commitment):
        super().__init__()
        self.codebook = nn.Embedding(codes, width)
        self.codebook.weight.data.uniform_(-1.0 / codes, 1.0 / codes)
        self.commitment = commitment

    def forward(self, z):
        distances = torch.cdist(z.detach(), self.codebook.weight.detach())
        indices = distances.argmin(dim=1)
        quantized = self.codebook(indices)
        codebook_loss = F.mse_loss(quantized, z.detach())
        commitment_loss = F.mse_loss(z, quantized.detach())
        loss = codebook_loss + self.commitment * commitment_loss
        passed = z + (quantized - z).detach()
        return passed, loss, indices


class VQVAE(nn.Module):
    def __init__(self, inputs, hidden, codes, width):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.quantizer = VectorQuantizer(codes, width, commitment=0.25)
        self.decoder = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, inputs))

    def forward(self, x):
        z = self.encoder(x)
        quantized, loss, indices = self.quantizer(z)
        return self.decoder(quantized), loss, indices


patterns = torch.randn(4, 8)
data = patterns[torch.randint(4, (48,))] + 0.1 * torch.randn(48, 8)
model = VQVAE(8, 16, 6, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    reconstruction_total = 0.0
    for x in data.split(16):
        reconstruction, vq_loss, indices = model(x)
        reconstruction_loss = F.mse_loss(reconstruction, x)
        loss = reconstruction_loss + vq_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        reconstruction_total += reconstruction_loss.item()
    print(epoch, round(reconstruction_total / 3, 4), "codes", indices.unique().numel())
